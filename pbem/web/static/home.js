// The boards on the home page and their number in the title are kept up to date while the page is seen.

const EVERY = 20000; // milliseconds; the server answers with 304 as long as nothing has changed

/** Puts what has changed since into the page; what has the keyboard has it again. */
async function renew() {
  if (document.hidden) return;
  const response = await fetch("/", { headers: { accept: "text/html" } }).catch(() => null);
  if (!response?.ok || response.redirected) return;
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  const [fresh, shown] = [found.getElementById("now"), document.getElementById("now")];
  if (!fresh || fresh.textContent === shown.textContent) return;
  const held = document.activeElement?.getAttribute("href");
  for (const each of fresh.querySelectorAll("img.later")) each.src = each.dataset.src;
  shown.replaceWith(document.adoptNode(fresh));
  document.title = found.title;
  if (held) document.querySelector(`#now a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

setInterval(renew, EVERY);
document.addEventListener("visibilitychange", renew);
