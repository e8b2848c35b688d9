// What a form sends is sent once, however often its button is pressed before the answer comes.

const LONGEST = 15000; // milliseconds; an answer that takes longer may never come, and the same can be sent again
let last = { what: "", at: -LONGEST };

/** All that a form would send now, and where. */
function sentBy(form, submitter) {
  return `${form.action}?${new URLSearchParams(new FormData(form, submitter))}`;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  const what = sentBy(form, event.submitter);
  if (what === last.what && event.timeStamp - last.at < LONGEST) event.preventDefault();
  else last = { what, at: event.timeStamp };
});

// Back can bring the page as it was left: there everything can be sent anew.
addEventListener("pageshow", (event) => {
  if (event.persisted) last.what = "";
});

// Pictures load when they become visible; who wants no motion gets still ones.
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    target.src = (still && target.dataset.still) || target.dataset.src;
  }
});
for (const each of document.querySelectorAll("img.later")) seen.observe(each);

// Words to pass on are copied with a click; browsers without a clipboard for pages select them.
document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field.select();
  await navigator.clipboard?.writeText(field.value).then(
    () => {
      button.textContent = button.dataset.done;
      document.getElementById("announced")?.replaceChildren(button.dataset.done);
    },
    () => {}, // they are selected
  );
});
