// The board with a script: clicks without new pages, tiles that turn, groups that light up, and moves as they come.
// Everything here only makes easier what the links and forms of the page do by themselves.

const board = () => document.getElementById("board");

/** Puts into a page what is there only with this script. */
function unpack(found) {
  for (const each of found.querySelectorAll("#board script[type='text/html']")) each.outerHTML = each.text;
}

/** The page of an address, as a document; null if it is another page by now. */
async function page(address) {
  const response = await fetch(address, { headers: { accept: "text/html" }, cache: "no-store" });
  if (response.redirected && new URL(response.url).pathname !== location.pathname) return null;
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  unpack(found);
  return found.getElementById("board") ? found : null;
}

let asked = 0; // states of the page so far; only the one asked for last is shown, in whatever order they come
let awaited = 0; // which of them the reader has asked for and does not see yet; 0: none
let latest = 0; // the last event that was heard of

/**
 * Shows another state of the page: fetches it, and puts its board in the place of this one.
 *
 * If it cannot be fetched, a reader who has asked for it is led there; else the page stays as it is.
 * Tells whether that has failed. A page that the caller refuses is not shown.
 */
async function go(address, { push = true, own = true, refuses = () => false } = {}) {
  const mine = ++asked;
  awaited = own ? mine : 0;
  const found = await page(address).catch(() => null);
  if (mine !== asked) return false;
  awaited = 0;
  if (!found) {
    if (own) location.assign(address);
    return true;
  }
  if (refuses(found)) return false;
  const before = drafted();
  put(found, push && address);
  if (own && drafted() && drafted() !== before) announce([...board().querySelectorAll(".drafted")].pop());
  if (own) await heard(latest); // what has happened since the server made this page
  return false;
}

/** The turns that are drafted, in words. */
const drafted = () => [...board().querySelectorAll(".drafted")].map((each) => each.textContent).join();

/** Puts the board of a page in the place of this one; what was typed, chosen and looked at stays. */
function put(found, address) {
  const focus = remember();
  keepWritten();
  const seen = middleOfFrame();
  const stood = standing();
  const open = folds().filter((each) => each.open).map(nameOfFold);
  board().replaceWith(document.adoptNode(found.getElementById("board")));
  document.title = found.title;
  if (address) history.pushState(null, "", address);
  for (const each of folds()) each.open ||= open.includes(nameOfFold(each));
  write();
  prepare();
  recall(focus);
  showInFrame(seen);
  showView();
  if (view.scale === 1) easeFrom(stood);
  scrollToChosen();
}

/** The frame of a drawing that is larger than its frame, and the drawing: where its units begin, and how large one is. */
function frameOf() {
  const frame = board().querySelector(".frame.large");
  const drawing = frame?.querySelector("svg");
  if (!drawing) return null;
  const { x, y, width } = drawing.viewBox.baseVal;
  return { frame, drawing, x, y, scale: drawing.clientWidth / width };
}

/** What of the drawing is in the middle of its frame, in the drawing's units, which stay when the board grows. */
function middleOfFrame() {
  const found = frameOf();
  if (!found) return null;
  const { frame, x, y, scale } = found;
  return [(frame.scrollLeft + frame.clientWidth / 2) / scale + x, (frame.scrollTop + frame.clientHeight / 2) / scale + y];
}

/** Scrolls the frame so that this is in its middle again: at first what is chosen, or else what was played last. */
function showInFrame(seen) {
  const found = frameOf();
  if (!found) return;
  const { frame, drawing, x, y, scale } = found;
  if (seen) {
    frame.scrollTo((seen[0] - x) * scale - frame.clientWidth / 2, (seen[1] - y) * scale - frame.clientHeight / 2);
    return;
  }
  const [toX, toY] = middle(drawing.querySelector(".picked, [href='#last'], .changed") || drawing);
  const [fromX, fromY] = middle(frame);
  frame.scrollBy(toX - fromX, toY - fromY);
}

/** Keeps the signs at a tile as large as a thumb needs, however small the board is, and within its frame. */
function fitSigns() {
  const signs = board().querySelector(".confirm");
  if (!signs) return;
  signs.style.setProperty("--larger", Math.max(1, 1.01 / signs.getScreenCTM().a));
  signs.classList.remove("above");
  const edge = signs.closest(".large svg, .frame");
  signs.classList.toggle("above", signs.getBoundingClientRect().bottom > edge.getBoundingClientRect().bottom);
}
addEventListener("resize", () => board() && fitSigns());

/** Scrolls the page to what is chosen or laid, where drafts come up over the lower part of the screen. */
function scrollToChosen() {
  for (const each of board().querySelectorAll(".frame:not(.large) :is(.picked, .confirm)")) each.scrollIntoView({ block: "nearest" });
}

/** What can be unfolded beside the board: it stays as the reader has left it. */
const folds = () => [...board().querySelectorAll("details[class]")];
const nameOfFold = (fold) => fold.id || fold.className;

/** Where the drawing stands on the page, and how large one of its units is there. */
function standing() {
  const drawing = board().querySelector(".frame:not(.large) > svg");
  const matrix = drawing?.getScreenCTM();
  return matrix && { drawing, x: matrix.e + scrollX, y: matrix.f + scrollY, scale: matrix.a };
}

/** Moves the drawing from where it stood to where it stands: it grows at its edges, and nothing jumps. */
function easeFrom(stood) {
  const now = standing();
  if (!stood || !now || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [scale, x, y] = [stood.scale / now.scale, stood.x - now.x, stood.y - now.y];
  if (Math.abs(scale - 1) < 0.001 && Math.hypot(x, y) < 1) return;
  const { x: left, y: top } = now.drawing.getBoundingClientRect();
  const [originX, originY] = [now.x - scrollX - left, now.y - scrollY - top]; // where the drawing has its (0, 0)
  now.drawing.style.transformOrigin = `${originX}px ${originY}px`;
  now.drawing.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
}

const kept = new Map(); // what has been written and not sent yet, and what its page had shown, by the fields' names

/** What says of a form which plan or note its page had shown: what is sent takes the place of no other one. */
const stampOf = (field) => field.form?.querySelector("[data-stamp]");

/** Keeps what is written on this board, until a board has the field again: not every state of a draft has all fields. */
function keepWritten() {
  for (const field of board().querySelectorAll("textarea[id], input[id]")) {
    const isOwn = field.value !== field.defaultValue || "typed" in field.dataset;
    if (isOwn) kept.set(field.id, { value: field.value, stamp: stampOf(field)?.value });
    else kept.delete(field.id);
  }
}

function write() {
  for (const [id, { value, stamp }] of kept) {
    const field = document.getElementById(id);
    const shown = field && stampOf(field);
    if (field) field.value = value;
    if (shown && stamp !== undefined) shown.value = stamp;
  }
}

/** What has the keyboard, so that it has it again in the new board. */
function remember() {
  const held = document.activeElement;
  if (!held || !board().contains(held)) return null;
  const picked = board().querySelector("svg .picked");
  return { href: held.getAttribute("href"), id: held.id, rel: held.closest(".steps") && held.rel, place: placeOf(held) || (held.closest(".turning") && picked && nameOf(picked)) };
}

function recall(focus) {
  if (!focus) return;
  const found = [
    board().querySelector(".turning a:not(.hidden), .either a"),
    focus.id && document.getElementById(focus.id),
    focus.rel && (toStep(focus.rel) || board().querySelector(".steps a[href]")),
    focus.href && board().querySelector(`#board a[href="${CSS.escape(focus.href)}"]`),
    focus.place && fields().find((each) => placeOf(each) === focus.place),
    board().querySelector("form button.main"),
    places().find((each) => !each.classList.contains("closed")),
    [...board().querySelectorAll(".draft .back a")].pop(),
  ].find(Boolean);
  found?.focus({ preventScroll: true });
}

/** The spaces and cells that can be chosen. */
const places = () => [...board().querySelectorAll("svg a.place")];

/** What arrow keys lead to: the tiles and spaces of boards of hexagons, or the cells of boards of squares. */
const FIELDS = "svg.hextile :is(a.place, .label > g, .tiles > g), svg.mamba > :is(a.place, [data-cell])";
const fields = () => [...board().querySelectorAll(FIELDS)];

/** The name of the space or cell that a link is around, or of a tile. */
function placeOf(link) {
  const drawn = link.matches?.("[data-label]") ? link : link.querySelector?.("[data-label], [data-cell]");
  return drawn ? nameOf(drawn) : null;
}

const nameOf = (drawn) => drawn.dataset.label || drawn.dataset.cell;

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const AROUND = [[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]]; // the way to the neighbours, clockwise from above
const [COLUMN, HALF_ROW] = [60, 34.64]; // how far apart hexagons are drawn
const SIDE = 50; // and squares

/** The column of a field, and its row; rows of hexagons in halves of the height of one. */
function cellOf(field) {
  const { e, f } = (field.localName === "a" ? field.firstElementChild : field).transform.baseVal.getItem(0).matrix;
  const steps = field.closest("svg.hextile") ? [e / COLUMN, f / HALF_ROW] : [e / SIDE + 0.25, f / SIDE + 0.25]; // a middle may be at a half
  return steps.map(Math.round);
}

/** The tile or space that lies so far from another one. */
function fieldAt(field, [columns, rows]) {
  const [column, row] = cellOf(field);
  return fields().find((each) => {
    const [atColumn, atRow] = cellOf(each);
    return atColumn === column + columns && atRow === row + rows;
  });
}

/** Gives fields the names that screen readers say, and the keyboard one way in: to what can be chosen, or to what was played. */
function nameFields() {
  const drawing = board().querySelector(".drawing svg:is(.hextile, .mamba)");
  if (!drawing || !board().querySelector(".spoken")) return;
  const first = places().find((each) => !each.matches(".closed"));
  const last = drawing.matches(".hextile") ? nameTiles(drawing) : nameCells(drawing);
  drawing.setAttribute("role", "application"); // else arrow keys are the screen reader's own
  for (const each of fields()) each.setAttribute("tabindex", "-1");
  enter(first || last || fields()[0]);
}

/** Names the cells that cannot be chosen; returns one that the last turn has changed. */
function nameCells(drawing) {
  const bare = [...drawing.querySelectorAll(":scope > [data-cell]")];
  for (const cell of bare) {
    const { mark } = cell.dataset;
    cell.setAttribute("aria-label", spoken(mark ? "piece" : "empty", { name: nameOf(cell), side: mark }));
    cell.setAttribute("role", "img");
  }
  return bare.find((each) => each.matches(".changed"));
}

/** Names tiles and spaces; returns a tile of the last turn. */
function nameTiles(drawing) {
  const marks = ["automatic", "last"].map((kind) => [...drawing.querySelectorAll(`[href="#${kind}"]`)].map((each) => each.getAttribute("transform")));
  const tiles = [...drawing.querySelectorAll(".tiles > g")];
  const names = drawing.querySelector(".tiles").dataset.names.split(" ");
  tiles.forEach((tile, index) => {
    const [bridge, tip] = [...tile.children].map((each) => each.getAttribute("href"));
    const [automatic, last] = marks.map((places) => places.includes(tile.getAttribute("transform")));
    const draft = tile.matches(".ghost");
    const notes = [automatic && "automatic", last && !draft && "last", draft && "drafted"].filter(Boolean);
    const isStart = /^\d/.test(names[index]);
    tile.dataset.label = isStart ? spoken("start") : names[index];
    const state = spoken(`tip${tip.at(-1)}`, { bridge: spoken(bridge.slice(1, 3)), tip: spoken(tip.slice(1, 3)) });
    const told = spoken("tile", { name: tile.dataset.label, state });
    tile.setAttribute("aria-label", [told, ...notes.map((note) => spoken(note))].join("; "));
  });
  const bare = [...drawing.querySelectorAll(".label > g")];
  for (const space of bare) {
    const kind = space.querySelector("[href='#null']") ? "null" : "space";
    space.setAttribute("aria-label", spoken(kind, { name: space.dataset.label }));
  }
  for (const each of [...tiles, ...bare]) each.setAttribute("role", "img");
  return tiles.find((each) => marks[1].includes(each.getAttribute("transform")));
}

/** Words of the page, with what they tell of. */
function spoken(key, told = {}) {
  const words = board().querySelector(`.spoken [data-for="${key}"]`)?.textContent;
  return words?.replace(/\$(\w+)/g, (_, name) => told[name]);
}

/** Makes a tile or space the one that the keyboard comes to, and tells of its neighbours. */
function enter(field) {
  if (!field) return;
  for (const each of board().querySelectorAll(`.drawing svg :is([tabindex="0"], [aria-describedby])`)) {
    if (each.hasAttribute("tabindex")) each.setAttribute("tabindex", "-1");
    each.removeAttribute("aria-describedby");
  }
  field.setAttribute("tabindex", "0");
  const around = document.getElementById("around");
  if (!around) return;
  const found = AROUND.map((way, index) => [index, fieldAt(field, way)]).filter(([, each]) => each);
  around.textContent = found.map(([index, each]) => spoken(index, { name: placeOf(each) })).join("; ");
  field.setAttribute("aria-describedby", "around");
}

/** Where an arrow key leads: to the next cell, or on boards of hexagons along a row that goes up and down by turns. */
function onward(field, key) {
  const [x, y] = DIRECTIONS[key];
  if (!field.closest("svg.hextile")) return fieldAt(field, [x, y]) || beside(field, [x, y]);
  const up = cellOf(field)[0] % 2 ? -1 : 1;
  const ways = x ? [[x, up], [x, -up]] : [[0, 2 * y]];
  return ways.map((way) => fieldAt(field, way)).find(Boolean) || beside(field, [x, y]);
}

/** The next place in a direction: near, and rather straight ahead than aside. */
function beside(place, [x, y]) {
  const [fromX, fromY] = middle(place);
  const ahead = fields()
    .map((each) => {
      const [toX, toY] = middle(each);
      const along = (toX - fromX) * x + (toY - fromY) * y;
      const aside = Math.abs((toX - fromX) * y - (toY - fromY) * x);
      return { each, along, aside };
    })
    .filter(({ each, along, aside }) => each !== place && along > 1 && aside < 2 * along);
  ahead.sort((one, other) => one.along + 2 * one.aside - (other.along + 2 * other.aside));
  return ahead[0]?.each;
}

/** The tiles that can be laid on the space that is chosen: one is seen, and clicks and keys turn to the next. */
function turning() {
  const ghosts = [...board().querySelectorAll(".turning a")];
  const chosen = ghosts.findIndex((each) => !each.classList.contains("hidden"));
  return { ghosts, chosen };
}

const TURNS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Whether arrow keys scroll what has the keyboard, a list of moves or a frame: there they turn nothing. */
const scrolls = (target) => target.closest?.("[tabindex='0']") && !target.closest(".turning");

function turn(by) {
  const { ghosts, chosen } = turning();
  if (!ghosts.length) return;
  show((chosen + by + ghosts.length) % ghosts.length, ghosts);
}

function show(index, ghosts) {
  ghosts.forEach((each, at) => each.classList.toggle("hidden", at !== index));
  const { step } = ghosts[index].dataset;
  for (const each of board().querySelectorAll("#place, .with-words, .confirm .lays")) each.setAttribute("href", ghosts[index].getAttribute("href"));
  const place = document.getElementById("place");
  if (place) place.textContent = place.textContent.replace(/\S+$/, step);
  for (const each of board().querySelectorAll(".choices a")) {
    const shown = each.dataset.step === step;
    each.toggleAttribute("aria-current", false);
    if (!shown) continue;
    each.setAttribute("aria-current", "true");
    document.getElementById("by-itself").textContent = each.querySelector(".by-itself")?.textContent || "";
  }
  if (document.activeElement?.closest?.(".turning")) ghosts[index].focus({ preventScroll: true });
}

/** Lights up what belongs together, in the drawing and in the list, and tells of it beside the board. */
function light(parts, told) {
  const drawing = board().querySelector(".drawing svg");
  if (!drawing) return;
  drawing.classList.toggle("lit", parts.length > 0);
  for (const each of board().querySelectorAll(".in")) each.classList.remove("in");
  for (const each of parts) each.classList.add("in");
  board().querySelector(".of-group").textContent = told;
}

/** What belongs to the thing under the pointer or with the keyboard: a group, or alignments of a piece. */
function lightFor(target) {
  const part = target.closest?.("#board [data-group], #board [data-cells]");
  const cell = target.closest?.("svg [data-cell]") || target.querySelector?.(":scope > [data-cell]");
  if (part?.dataset.group) {
    const all = [...board().querySelectorAll(`[data-group="${part.dataset.group}"]`)];
    light(all, all.find((each) => each.localName === "li")?.textContent || "");
  } else if (part || cell) {
    const rows = part ? [part] : [...board().querySelectorAll(".alignments li")].filter((row) => cellsOf(row).includes(cell.dataset.cell));
    const cells = rows.flatMap(cellsOf).map((name) => board().querySelector(`svg [data-cell="${name}"]`));
    light([...rows, ...cells.filter(Boolean)], rows.map((row) => row.textContent).join("; "));
  } else {
    light([], "");
  }
}

const cellsOf = (row) => row.dataset.cells.split(" ");

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    if (!board().contains(event.target)) return;
    lightFor(event.target);
    if (kind === "focusin" && event.target.matches(FIELDS)) enter(event.target);
  });
}

const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

/** The link that steps through the game; null if it leads nowhere. */
const toStep = (rel) => board().querySelector(`.steps a[rel="${rel}"][href]`);

/** Whether a key steps through the game, or through the turns that are tried there; if so, that is done. */
function steps(key) {
  if (!(key in STEPS)) return false;
  const tried = "draft" in board().dataset;
  const link = tried ? key === "ArrowLeft" && board().querySelector(".draft .back a") : toStep(STEPS[key]);
  if (link) go(new URL(link.href));
  return Boolean(link);
}

const PACE = 1000; // milliseconds for which each position is shown while the moves are played by themselves
let playing = 0; // the timer of the next move; 0: nothing is played

function pause() {
  clearTimeout(playing);
  playing = 0;
  document.getElementById("play")?.setAttribute("aria-pressed", "false");
}

/** Shows the next position in place of this one, and goes on until the last. */
async function playOn(rel = "next") {
  const address = toStep(rel)?.href;
  if (!address) return pause();
  const failed = await go(address, { push: false, own: false });
  if (failed) return pause();
  if (!playing) return null;
  history.replaceState(null, "", address);
  if (!toStep("next")) return pause();
  playing = setTimeout(playOn, PACE);
  return null;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#play")) return;
  if (playing) return pause();
  playing = setTimeout(playOn, 0, toStep("next") ? "next" : "first");
  prepare();
  return null;
});
for (const kind of ["pointerdown", "keydown", "wheel", "popstate"]) {
  addEventListener(kind, (event) => {
    const presses = event.target.closest?.("#play") && [undefined, "Enter", " "].includes(event.key);
    if (playing && !presses) pause();
  }, { passive: true });
}

function prepare() {
  document.getElementById("play")?.setAttribute("aria-pressed", String(playing > 0));
  nameFields();
  fitSigns();
  board().querySelector(".by-hand")?.toggleAttribute("hidden", hears);
  const { ghosts } = turning();
  if (ghosts.length) {
    ghosts[0].parentElement.classList.add("scripted");
    show(0, ghosts);
  }
  toPresentMove();
  document.dispatchEvent(new Event("shown"));
}

/** Scrolls the list of moves to the one that is shown, and nothing else. */
function toPresentMove() {
  const present = board().querySelector(".moves a[aria-current]");
  const frame = present?.closest(".scroll");
  if (!frame) return;
  const [inside, around] = [present.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += inside.top - around.top - (frame.clientHeight - inside.height) / 2;
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.("#board a[href]");
  if (!link) return;
  const send = () => document.getElementById("send")?.click();
  const isSecond = event.detail > 1; // of two quick taps: it was meant for the sign before
  if (link.getAttribute("href") === "#send") { // the sign at the last tile presses the button that sends the turn
    event.preventDefault();
    if (!isSecond) send();
    return;
  }
  const address = new URL(link.getAttribute("href"), location.href);
  if (address.pathname !== location.pathname) return;
  event.preventDefault();
  if (link.closest(".turning") && event.detail) turn(1); // a click turns the tile, Enter lays it
  else if (!link.matches(".sends")) go(address);
  else if (!isSecond) go(address).then(() => location.href === address.href && send()); // it completes the turn
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const address = new URL(form.action);
  if (event.defaultPrevented || form.method !== "get" || address.pathname !== location.pathname || !board().contains(form)) return;
  event.preventDefault();
  address.search = new URLSearchParams(new FormData(form));
  for (const field of form.querySelectorAll("input")) field.defaultValue = field.value; // it is sent now
  go(address).then(() => board().querySelector(".refusal, .drawing")?.scrollIntoView({ block: "nearest" }));
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select") || event.metaKey || event.ctrlKey || event.altKey) return;
  const { ghosts, chosen } = turning();
  const held = event.target.closest?.(`svg a.place, ${FIELDS}`);
  if (event.key === "Escape" && drag) {
    letGo();
  } else if (event.key === "Escape") {
    const address = new URL(location.href);
    if (!address.searchParams.has("pick")) return;
    const place = address.searchParams.get("pick");
    address.searchParams.delete(address.searchParams.has("to") ? "to" : "pick");
    go(address).then(() => focusOn(place));
  } else if (event.key in DIRECTIONS && held) {
    event.preventDefault();
    const next = onward(held, event.key);
    if (next?.matches(FIELDS)) enter(next);
    next?.focus();
  } else if (event.key in TURNS && ghosts.length && !scrolls(event.target)) {
    event.preventDefault();
    turn(TURNS[event.key]);
  } else if (!ghosts.length && !scrolls(event.target) && steps(event.key)) {
    event.preventDefault();
  } else if (event.key === "Enter" && ghosts.length && event.target === document.body) {
    go(new URL(ghosts[chosen].getAttribute("href"), location.href)).then(() => focusOn());
  }
});

/** Lets the keys go on at a place, or at what can be chosen next, where nothing on the page is held. */
function focusOn(place) {
  if (document.activeElement !== document.body) return;
  const found = fields().find((each) => placeOf(each) === place) || document.getElementById("send")
    || board().querySelector("svg a.place");
  found?.focus({ preventScroll: true });
}

// Tiles and pieces can be dragged to where they are to go. What does not fit there goes back, and the page says why.
const FAR = 8; // pixels by which what is pressed must move to be dragged
const SWIPE = 300; // milliseconds within which a finger that crosses a tile turns it
let drag = null; // what is pressed; once it moves, with an image that follows the pointer

/** Whether the pointer is over the box of an element: the pale parts of a tile do not meet it. */
function isOver(element, { clientX, clientY }) {
  const box = element.getBoundingClientRect();
  return clientX > box.left && clientX < box.right && clientY > box.top && clientY < box.bottom;
}

/** What can be dragged from under the pointer: a tile that could be laid, the one laid last in the draft, or a piece. */
function grasped(event) {
  const choice = event.target.closest?.("#board .choices a[data-step]");
  if (choice) return offered(choice, choice.querySelector("svg"));
  if (!event.target.closest?.("#board .frame") || event.target.closest(".confirm")) return null;
  const { ghosts, chosen } = turning();
  const tile = ghosts[chosen]?.querySelector(".tile");
  if (tile && isOver(tile, event)) return { ...offered(ghosts[chosen], tile), turns: true };
  const turn = document.getElementById("turn")?.defaultValue;
  const last = [...board().querySelectorAll(".tiles > .ghost")].find((each) => isOver(each, event));
  if (last && turn?.toUpperCase().endsWith(last.dataset.label) && !ghosts.length) {
    const address = new URL(location.href);
    address.searchParams.set("turn", turn);
    return { address, step: last.dataset.label, shape: last };
  }
  const link = event.target.closest("svg a.place:not(.target, .answer)");
  const shape = link?.querySelector(".piece");
  return shape ? { address: addressOf(link), shape } : null;
}

const offered = (link, shape) => (shape ? { address: addressOf(link), step: link.dataset.step, shape } : null);

const addressOf = (link) => new URL(link.getAttribute("href"), location.href);

/** A copy of a tile or piece that lies over the page. */
function imageOf(shape) {
  const image = (shape.ownerSVGElement || shape).cloneNode(false);
  const { x, y, width, height } = shape.getBBox();
  const { a, e, f } = shape.getScreenCTM();
  for (const name of ["role", "aria-label"]) image.removeAttribute(name);
  image.setAttribute("aria-hidden", "true");
  image.setAttribute("viewBox", [x, y, width, height].join(" "));
  image.append(...(shape.localName === "use" ? [shape] : [...shape.children]).map((each) => each.cloneNode(true)));
  image.classList.add("dragged");
  Object.assign(image.style, { left: `${x * a + e}px`, top: `${y * a + f}px`, width: `${width * a}px`, height: `${height * a}px` });
  document.body.append(image);
  return image;
}

/** The space, cell or tile at a point of the screen. */
function fieldUnder({ clientX, clientY }) {
  const under = document.elementsFromPoint(clientX, clientY);
  return under.map((each) => each.closest("#board svg :is([data-label], [data-cell])")).find(Boolean);
}

function markUnder(field) {
  for (const each of board().querySelectorAll("svg .over")) each.classList.remove("over");
  field?.classList.add("over");
}

/** Lets something go back to where it was dragged from, and says why. */
function sendBack({ image }, why) {
  markUnder(null);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const way = image.animate([{}, { translate: "0 0" }], { duration: isStill ? 0 : 180, easing: "ease-out" });
  way.addEventListener("finish", () => image.remove());
  const told = board().querySelector(".misfit");
  if (!told || !why) return;
  told.textContent = why;
  told.hidden = false;
}

/** Plays what is dragged where it is dropped, if the rules allow it. */
async function drop(dragged, event) {
  const field = fieldUnder(event);
  const name = field && nameOf(field);
  if (!name) return sendBack(dragged, event.target.closest?.("#board .frame") && misfit());
  if (dragged.step) await dropTile(dragged, field.matches(".tiles > g") ? name.replace(/\d+$/, "") : name);
  else await dropPiece(dragged, name);
  return dragged.image.getAnimations().length || dragged.image.remove();
}

const misfit = () => board().querySelector(".misfit")?.dataset.misfit;

async function dropTile(dragged, place) {
  const { address, step } = dragged;
  const [, state] = step.match(/(\d+)$/);
  if (dragged.shape.matches(".ghost") && step === place + state) return sendBack(dragged);
  const turn = address.searchParams.get("turn");
  address.searchParams.set("turn", turn.slice(0, turn.length - step.length) + place + state);
  address.searchParams.delete("pick");
  const refuses = (found) => {
    const why = found.querySelector("#board .refusal[role=alert]")?.textContent.trim();
    if (why) sendBack(dragged, why);
    return Boolean(why);
  };
  return go(address, { refuses });
}

async function dropPiece(dragged, cell) {
  const found = await page(dragged.address).catch(() => null);
  const way = found?.querySelector(`#board svg a.target:has([data-cell="${cell}"])`);
  if (way) await go(addressOf(way));
  else sendBack(dragged, misfit());
}

document.addEventListener("pointerdown", (event) => {
  if (!board()) return;
  board().querySelector(".misfit")?.setAttribute("hidden", "");
  if (drag?.image) sendBack(drag); // a second finger
  drag = event.isPrimary && !event.button ? grasped(event) : null;
  if (drag) Object.assign(drag, { x: event.clientX, y: event.clientY, at: event.timeStamp });
});

document.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.image && Math.hypot(x, y) < FAR) return;
  drag.image ||= imageOf(drag.shape);
  drag.image.style.translate = `${x}px ${y}px`;
  markUnder(fieldUnder(event));
});

document.addEventListener("pointerup", (event) => {
  const dragged = drag;
  drag = null;
  if (!dragged?.image || !event.isPrimary) return;
  const ignore = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", ignore, { capture: true }));
  const isSwipe = dragged.turns && event.pointerType !== "mouse" && event.timeStamp - dragged.at < SWIPE;
  if (!isSwipe) swiped = null;
  if (isSwipe) sendBack(dragged);
  else drop(dragged, event);
});

function letGo() {
  if (drag?.image) sendBack(drag);
  drag = null;
}
document.addEventListener("pointercancel", letGo);
// What a finger holds does not scroll the page; in a drawing, touch-action cannot say so. In a large one, fingers scroll.
document.addEventListener("touchmove", (event) => {
  if (drag?.shape.closest(".frame:not(.large)") && event.cancelable) event.preventDefault();
}, { passive: false });
document.addEventListener("shown", letGo);
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("#board :is(svg a, .choices a)")) event.preventDefault();
});

// The wheel over a tile that is tried out turns it, and so does a swipe across it.
let turnedAt = 0;
document.addEventListener("wheel", (event) => {
  if (event.ctrlKey || !event.target.closest?.(".turning")) return;
  event.preventDefault();
  if (event.timeStamp - turnedAt > 120) turn(Math.sign(event.deltaY));
  turnedAt = event.timeStamp;
}, { passive: false });
let swiped = null;
document.addEventListener("pointerdown", (event) => {
  swiped = event.pointerType !== "mouse" && event.target.closest?.(".turning") ? event.clientX : null;
});
document.addEventListener("pointerup", (event) => {
  if (swiped !== null && Math.abs(event.clientX - swiped) > 24) turn(Math.sign(event.clientX - swiped));
  swiped = null;
});

// Two fingers, or the wheel with Ctrl, zoom the board; one finger or the pointer moves it then.
const view = { scale: 1, x: 0, y: 0 };
const fingers = new Map();
function zoomed(by, [atX, atY]) {
  const frame = board().querySelector(".frame:not(.large)");
  if (!frame) return;
  const box = frame.getBoundingClientRect();
  const scale = Math.min(Math.max(view.scale * by, 1), 5);
  const [fromX, fromY] = [atX - box.x - box.width / 2, atY - box.y - box.height / 2];
  view.x = fromX - (fromX - view.x) * (scale / view.scale);
  view.y = fromY - (fromY - view.y) * (scale / view.scale);
  view.scale = scale;
  showView(frame);
}

function showView(frame = board().querySelector(".frame:not(.large)")) {
  const drawing = frame?.firstElementChild;
  if (!drawing) return;
  if (view.scale === 1) [view.x, view.y] = [0, 0];
  drawing.style.transformOrigin = "center";
  drawing.style.transform = view.scale === 1 ? "" : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  frame.classList.toggle("zoomed", view.scale > 1);
  fitSigns();
}

document.addEventListener("wheel", (event) => {
  if (!event.ctrlKey || !event.target.closest?.(".frame:not(.large)")) return;
  event.preventDefault();
  zoomed(Math.exp(-event.deltaY / 200), [event.clientX, event.clientY]);
}, { passive: false });
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.(".frame:not(.large)")) fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => fingers.delete(event.pointerId));
document.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before || drag?.image) return;
  const now = [event.clientX, event.clientY];
  const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
  fingers.set(event.pointerId, now);
  if (other) {
    const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
    zoomed(apart(now) / Math.max(apart(before), 1), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
  } else if (view.scale > 1) {
    view.x += now[0] - before[0];
    view.y += now[1] - before[1];
    showView();
  }
});

addEventListener("popstate", () => go(location.href, { push: false }));

/** Tells players who try out moves, or look at the past, what has happened; their draft stays. */
async function tell(event) {
  board().dataset.event = event;
  const news = board().querySelector(".news");
  const found = await page(home()).catch(() => null);
  if (!board().contains(news) || Number(board().dataset.event) !== event) return;
  const fresh = found?.querySelector(".news");
  if (fresh) news.querySelector(".news-begins").textContent = fresh.querySelector(".news-begins").textContent;
  news.querySelector(".news-now").textContent = fresh ? happened(found, Number(news.dataset.since)) : "";
  news.hidden = false;
  announce(news.querySelector("p"));
}

/** What the page of the board as it stands says of what has come since: a move, an offer, how it ended, or whose turn it is. */
function happened(found, since) {
  const moved = Number(found.querySelector(".news").dataset.moved) > since;
  const news = [moved && ".status .last", ".news-now"].map((each) => each && found.querySelector(each)?.textContent.trim()).filter(Boolean);
  return news.join(" ") || found.querySelector(".status p")?.textContent || "";
}

/** Has screen readers say what has come by itself: they hear of changes only where an element stays in the page. */
function announce(element) {
  document.getElementById("announced").textContent = element?.textContent.replace(/\s+/g, " ").trim() || "";
}

/** What is to be done when the board has come to an event: this page has it, or shows it, or tells of it. */
async function heard(event) {
  const { dataset } = board();
  latest = Math.max(latest, event);
  if (!(event > Number(dataset.event))) return;
  if (awaited || "draft" in dataset || "past" in dataset) {
    await tell(event);
    return;
  }
  const before = board();
  const failed = await go(home(), { push: home().search !== location.search, own: false });
  if (failed) followLater();
  else if (board() !== before) announce(board().querySelector(".status"));
}

/** What is to be done when an analysis has come: it is shown in place of the words that it is awaited, and nothing else. */
async function heardAnalysis() {
  const panel = () => board().querySelector(".analysis");
  if (!panel()?.querySelector(".awaited")) return;
  const found = await page(location.href).catch(() => null);
  const fresh = found?.querySelector(".analysis");
  if (!fresh || fresh.querySelector(".awaited") || !panel()) return;
  panel().replaceWith(document.adoptNode(fresh));
  announce(panel().querySelector("h2"));
}

/** What is to be done when something has been said: what was said is shown anew, and nothing else. */
async function heardWords(said) {
  const words = () => board().querySelector(".said");
  if (!words() || !(said > Number(words().dataset.said))) return;
  const found = await page(location.href).catch(() => null);
  const fresh = found?.querySelector(".said");
  if (!fresh || !(said > Number(words()?.dataset.said))) return;
  words().replaceWith(document.adoptNode(fresh));
  announce(words().querySelector(".remark"));
}

const KEPT = ["large", "all"]; // what of the address is about how the board is shown

/** The board as it stands, shown as it is shown now. */
function home() {
  const address = new URL(location.href);
  for (const name of [...address.searchParams.keys()]) if (!KEPT.includes(name)) address.searchParams.delete(name);
  return address;
}

const SOONEST = 5000; // milliseconds until the page looks for moves by itself
const LATEST = 60000;
let hears = true;
let patience = SOONEST;

/** Shows whether moves are heard of at once. */
function says(now) {
  const told = board().querySelector(".by-hand");
  if (hears && !now) announce(told.firstChild);
  hears = now;
  told.hidden = now;
}

/** Looks for moves, since nobody tells of them. */
async function look() {
  const found = await page(home()).catch(() => null);
  if (!found) return;
  await heard(Number(found.getElementById("board").dataset.event));
  await heardWords(Number(found.querySelector(".said")?.dataset.said));
  await heardAnalysis();
}

const PLACES = 4; // connections that boards may hold in one browser: it has six to a site, and pages need some, too

/** Waits for one of the places, if one is free; it is held until the signal. */
async function hasPlace(signal) {
  if (!navigator.locks) return true; // a site that is neither on this machine nor behind TLS
  const held = () => new Promise((done) => signal.addEventListener("abort", done));
  for (let number = 1; number <= PLACES && !signal.aborted; number += 1) {
    const found = await new Promise((tell) => {
      navigator.locks.request(`live ${number}`, { ifAvailable: true }, (lock) => {
        tell(lock !== null);
        return lock && !signal.aborted ? held() : null;
      });
    });
    if (found) return true;
  }
  return false;
}

let following = new AbortController();

/** Ends what was done to follow the board, with the place that it held; returns the signal of what is done instead. */
function anew() {
  following.abort();
  following = new AbortController();
  return following.signal;
}

/** Follows the board while the page is seen: whatever changes it, by mail or on the web, is seen at once. */
async function follow() {
  const signal = anew();
  if (document.hidden) return;
  const found = await hasPlace(signal);
  if (signal.aborted) return;
  if (!found) {
    followLater();
    return;
  }
  const source = new EventSource(`/boards/${board().dataset.board}/live`);
  signal.addEventListener("abort", () => source.close());
  source.addEventListener("open", () => {
    patience = SOONEST;
    says(true);
  });
  source.addEventListener("board", (event) => heard(Number(event.data)));
  source.addEventListener("said", (event) => heardWords(Number(event.data)));
  source.addEventListener("analysed", heardAnalysis);
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED || signal.aborted) return; // the browser tries again by itself
    followLater(); // there is no place for one more, or a proxy has answered for a server that was away
  });
}

/** Looks for moves after a while, and tries to follow again; until then others may have the place. */
function followLater() {
  const signal = anew();
  says(false);
  const timer = setTimeout(() => look().finally(() => signal.aborted || follow()), patience);
  signal.addEventListener("abort", () => clearTimeout(timer));
  patience = Math.min(2 * patience, LATEST);
}

if (board()) {
  unpack(document);
  prepare();
  showInFrame(null);
  if (board().querySelector(".sheet")) scrollToChosen();
  if (board().dataset.board) {
    follow(); // nobody else plays on a board that is only tried out
    document.addEventListener("visibilitychange", follow);
  }
}
