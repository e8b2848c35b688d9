// The form of a challenge with a script: another game brings its options, every choice the line that a mail would need;
// names are completed; what is impossible is grey, with the reason. Without one the server says the same.

const form = document.querySelector("form[action='/challenge'], form[data-options]");
const to = form.querySelector("#to");
const begins = form.querySelector("#begins"); // of no use where somebody is still looked for
const robots = new Set([...form.querySelectorAll("[data-kind=robot]")].map((each) => each.value));
const SECRET = ["token", "words"]; // what is to stand in no address

let asking = new AbortController();

/** Shows what the page of these fields says: options and variants of another game, the line, and the button. */
async function explain({ target }) {
  asking.abort(); // an answer that comes late must not put back what stood before
  const { signal } = (asking = new AbortController());
  const isOther = target?.name === "game";
  const fields = [...new FormData(form)].filter(([name, value]) => value && !SECRET.includes(name));
  const kept = isOther ? fields.filter(([name]) => !name.startsWith("o.") && name !== "variant" && name !== "players") : fields;
  if (isOther) kept.splice(0, kept.length, ...kept.filter(([name]) => name !== "of"));
  const response = await fetch(`${form.getAttribute("action")}?${new URLSearchParams(kept)}`, { signal }).catch(() => null);
  const text = response?.ok && !response.redirected && (await response.text().catch(() => null));
  if (!text || signal.aborted) return;
  const found = new DOMParser().parseFromString(text, "text/html");
  const parts = isOther || form.elements.of.value !== found.querySelector("[name=of]")?.value ? ["options-of-game", "variants", "several"] : [];
  for (const id of parts) swap(found, `#${id}`);
  for (const which of ["#go", "#line code"]) swap(found, which);
  const of = found.querySelector("[name=of]");
  if (of) form.elements.of.value = of.value;
  forbid();
}

function swap(found, which) {
  const [there, here] = [found.querySelector(which), form.querySelector(which)];
  if (there && here) here.replaceChildren(...there.childNodes);
}

/** Who plays: anyone, a robot, or people. */
function kind() {
  const names = to?.value.trim().split(/[\s,]+/).filter(Boolean) ?? [];
  const chosen = form.querySelector("[name=who]:checked")?.value;
  const all = names.length ? names : chosen ? [chosen] : [];
  if (all.length === 0 || all[0] === "anyone") return "anyone";
  return all.some((each) => robots.has(each.toLowerCase()) || each.toLowerCase() === "robot") ? "robot" : "person";
}

function isOn(name, value) {
  return [...form.querySelectorAll(`[name="${name}"]`)].some((each) =>
    each.matches("[type=checkbox], [type=radio]") ? each.checked && (!value || each.value === value) : each.value && (!value || each.value === value),
  );
}

function holds(when) {
  const [name, value] = when.split("=");
  return name === "who" ? kind() === value : isOn(name, value);
}

/** Greys what is impossible, and says why. */
function forbid() {
  const wrong = new Map();
  for (const each of form.querySelectorAll("[data-when]")) {
    const name = each.dataset.for;
    const applies = holds(each.dataset.when) && !(name.startsWith("o.") && isOn(name));
    each.hidden = !applies || wrong.get(name);
    wrong.set(name, wrong.get(name) || applies);
  }
  if (begins) begins.hidden = begins.disabled = kind() === "anyone";
  for (const [name, is] of wrong) for (const each of form.querySelectorAll(`[name="${name}"]`)) each.disabled = is;
}

let typing;
/** Completes the last name that is being written. */
function complete() {
  for (const each of form.querySelectorAll("[name=who]")) each.checked = !to.value.trim() && each.value === "anyone";
  clearTimeout(typing);
  typing = setTimeout(async () => {
    const [before, begin] = to.value.match(/^(.*[\s,])?([^\s,]*)$/s).slice(1);
    const response = begin && (await fetch(`/challenge/names?begin=${encodeURIComponent(begin)}`).catch(() => null));
    const names = response?.ok ? await response.json().catch(() => []) : [];
    form.querySelector("#names").replaceChildren(...names.map((each) => new Option("", (before ?? "") + each)));
    forbid();
  }, 200);
}

for (const each of form.querySelectorAll(".unscripted")) each.hidden = true;
form.addEventListener("change", (event) => {
  if (event.target.name === "who" && to) to.value = "";
  if (event.target.name === "words") return;
  forbid();
  explain(event);
});
to?.addEventListener("input", complete);
forbid();
