// The lines that somebody has tried on a board, as a tree: it stays in this browser, and nobody else sees it.

const MOST = 50; // lines of one board

const board = () => document.getElementById("board");
const key = () => `lines of board ${board().dataset.board}`;

/** The lines tried so far, none of which begins another: the moves before it, and its turns as they are typed and shown. */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(key()));
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // this browser keeps nothing, or it is not ours
  }
}

function write(lines) {
  try {
    if (lines.length) localStorage.setItem(key(), JSON.stringify(lines));
    else localStorage.removeItem(key());
  } catch {
    // it is full, or keeps nothing
  }
}

const typed = (turns) => turns.map(([turn]) => turn).join(" / ");

/** Whether a line is the other one, or how it begins. */
function begins(one, other) {
  if (one.move !== other.move) return false;
  const [short, long] = [typed(one.turns), typed(other.turns)];
  return long === short || long.startsWith(`${short} `);
}

/** Keeps the line that is shown, and shows all of them. */
function keep() {
  const list = document.getElementById("lines");
  if (!list) return;
  const shown = JSON.parse(board().dataset.line || "null");
  let lines = read();
  if (shown && !lines.some((each) => begins(shown, each))) {
    lines = [...lines.filter((each) => !begins(each, shown)), shown].slice(-MOST);
    write(lines);
  }
  list.hidden = !lines.length;
  list.querySelector("ul")?.remove();
  const moves = [...new Set(lines.map((each) => each.move))].sort((one, other) => one - other);
  const items = moves.map((move) => {
    const item = element("li", list.dataset.after.replace("#", move));
    item.append(branches(move, [], lines.filter((each) => each.move === move).map((each) => each.turns), shown));
    return item;
  });
  list.querySelector("h2").after(element("ul", ...items));
}

/** What follows after some turns: each turn with which a line goes on, and with it what follows then. */
function branches(move, before, lines, shown) {
  const next = new Map();
  for (const turns of lines) {
    const [turn] = turns[before.length] || [];
    if (turn !== undefined) next.set(turn, [...(next.get(turn) || []), turns]);
  }
  const items = [...next.values()].map((alike) => {
    let turns = alike[0].slice(0, before.length + 1);
    const item = element("li", link(move, turns, shown));
    while (goesOn(alike, turns)) {
      turns = alike[0].slice(0, turns.length + 1);
      item.append(" · ", link(move, turns, shown));
    }
    if (alike.length > 1) item.append(branches(move, turns, alike, shown));
    return item;
  });
  return element("ul", ...items);
}

/** Whether all these lines go on with the same turn. */
const goesOn = (lines, turns) => new Set(lines.map((each) => each[turns.length]?.[0])).size === 1 && lines[0].length > turns.length;

function link(move, turns, shown) {
  const found = element("a", turns.at(-1)[1]);
  const size = new URL(location.href).searchParams.has("large") ? { large: "yes" } : {};
  found.href = `${location.pathname}?${new URLSearchParams({ move, turn: typed(turns), ...size })}`;
  if (shown?.move === move && typed(shown.turns) === typed(turns)) found.setAttribute("aria-current", "true");
  return found;
}

function element(name, ...parts) {
  const made = document.createElement(name);
  made.append(...parts);
  return made;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#forget")) return;
  write([]);
  document.getElementById("lines").hidden = true;
});

/** Has a study be made of the lines: a variation a line, in place of the move that follows. */
document.addEventListener("submit", ({ target }) => {
  if (target.id !== "studied") return;
  const lines = read().map(({ move, turns }) => `#${move + 1} ${typed(turns)}`);
  target.elements.lines.value = lines.join("\n");
});

document.addEventListener("shown", keep);
if (board()) keep();
