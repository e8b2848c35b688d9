// The board with a script: clicks without new pages, tiles that turn, groups that light up, and moves as they come.
// Everything here only makes easier what the links and forms of the page do by themselves.

const board = () => document.getElementById("board");

/** Shows another state of the page: fetches it, and puts its board in the place of this one. */
async function go(address, { push = true } = {}) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (response.redirected && new URL(response.url).pathname !== location.pathname) {
    location.assign(response.url);
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("board");
  if (!fresh) {
    location.assign(address);
    return;
  }
  const focus = remember();
  board().replaceWith(fresh);
  document.title = page.title;
  if (push) history.pushState(null, "", address);
  prepare();
  recall(focus);
}

/** What has the keyboard, so that it has it again in the new board. */
function remember() {
  const held = document.activeElement;
  if (!held || !board().contains(held)) return null;
  return { href: held.getAttribute("href"), id: held.id };
}

function recall(focus) {
  if (!focus) return;
  const turning = board().querySelector(".turning a");
  const same = focus.id ? document.getElementById(focus.id) : focus.href && board().querySelector(`a[href="${CSS.escape(focus.href)}"]`);
  (turning || same || board().querySelector("form button.main") || board().querySelector(".place"))?.focus({ preventScroll: true });
}

/** The tiles that can be laid on the space that is chosen: one is seen, and clicks and keys turn to the next. */
function turning() {
  const ghosts = [...board().querySelectorAll(".turning a")];
  const chosen = ghosts.findIndex((each) => !each.classList.contains("hidden"));
  return { ghosts, chosen };
}

function turn(by) {
  const { ghosts, chosen } = turning();
  if (!ghosts.length) return;
  show((chosen + by + ghosts.length) % ghosts.length, ghosts);
}

function show(index, ghosts) {
  ghosts.forEach((each, at) => each.classList.toggle("hidden", at !== index));
  const step = ghosts[index].getAttribute("aria-label");
  const place = document.getElementById("place");
  if (place) {
    place.href = ghosts[index].getAttribute("href");
    place.textContent = place.textContent.replace(/\S+$/, step);
  }
  for (const each of board().querySelectorAll(".choices a")) {
    each.toggleAttribute("aria-current", each.dataset.step === step);
  }
  if (document.activeElement?.closest?.(".turning")) ghosts[index].focus({ preventScroll: true });
}

/** Lights a group up, in the drawing and in the list; none if there is no number. */
function light(number) {
  const drawing = board().querySelector("svg.hextile");
  if (!drawing) return;
  drawing.classList.toggle("lit", number !== undefined);
  for (const each of board().querySelectorAll("[data-group]")) {
    each.classList.toggle("in", each.dataset.group === number);
  }
  const told = board().querySelector(`.groups li[data-group="${number}"]`);
  const tip = board().querySelector(".tip");
  if (tip) tip.textContent = told ? told.textContent : "";
}

function prepare() {
  for (const each of board().querySelectorAll(".scripted")) each.hidden = false;
  const { ghosts } = turning();
  if (ghosts.length) {
    ghosts[0].parentElement.classList.add("scripted");
    show(0, ghosts);
  }
  for (const each of board().querySelectorAll("[data-group]")) {
    each.addEventListener("pointerenter", () => light(each.dataset.group));
    each.addEventListener("pointerleave", () => light(undefined));
    if (each.tabIndex >= 0) {
      each.addEventListener("focus", () => light(each.dataset.group));
      each.addEventListener("blur", () => light(undefined));
    }
  }
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.("#board a[href]");
  if (!link) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (address.pathname !== location.pathname) return;
  event.preventDefault();
  if (link.closest(".turning") && event.detail) turn(1); // a click turns the tile, Enter lays it
  else go(address);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select") || event.metaKey || event.ctrlKey || event.altKey) return;
  const { ghosts, chosen } = turning();
  if (event.key === "Escape" && ghosts.length) {
    const address = new URL(location.href);
    address.searchParams.delete("pick");
    go(address);
  } else if (["ArrowRight", "ArrowDown", "r"].includes(event.key) && ghosts.length) {
    event.preventDefault();
    turn(1);
  } else if (["ArrowLeft", "ArrowUp"].includes(event.key) && ghosts.length) {
    event.preventDefault();
    turn(-1);
  } else if (event.key === "Enter" && ghosts.length && event.target === document.body) {
    go(new URL(ghosts[chosen].getAttribute("href"), location.href));
  }
});

addEventListener("popstate", () => go(location.href, { push: false }));

/** Follows the board: whatever changes it, by mail or on the web, is seen at once. */
function follow() {
  const source = new EventSource(`/boards/${board().dataset.board}/live`);
  source.addEventListener("board", (event) => {
    if (Number(event.data) <= Number(board().dataset.event)) return;
    go(new URL(location.pathname, location.href), { push: location.search !== "" });
  });
}

if (board()) {
  prepare();
  follow();
}
