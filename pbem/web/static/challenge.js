// The form of a challenge with a script: another game brings its options and its order of play, another field another
// line, at once.
// Without one a button of the page does the same.

const form = document.querySelector("form[action='/challenge']");
const SECRET = ["token", "words"]; // what is to stand in no address

let asking = new AbortController();

/** Shows what the page of these fields says of order and options, and the line that a mail would need. */
async function explain() {
  asking.abort(); // an answer that comes late must not put back what stood before
  const { signal } = (asking = new AbortController());
  const fields = [...new FormData(form)].filter(([name, value]) => value && !SECRET.includes(name));
  const response = await fetch(`/challenge?${new URLSearchParams(fields)}`, { signal }).catch(() => null);
  const text = response?.ok && !response.redirected && (await response.text().catch(() => null));
  if (!text || signal.aborted) return;
  const found = new DOMParser().parseFromString(text, "text/html");
  for (const id of ["order", "such-as", "line", "options-of-game"]) {
    const [there, here] = [found.getElementById(id), document.getElementById(id)];
    if (!there || !here) continue;
    if ("open" in here) there.open = here.open;
    here.replaceWith(document.adoptNode(there));
  }
  prepare();
}

function prepare() {
  for (const each of document.querySelectorAll(".unscripted")) each.hidden = true;
}

form.addEventListener("change", explain);
prepare();
