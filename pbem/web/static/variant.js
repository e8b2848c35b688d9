// Rules of one's own with a script: what they come to changes with every choice. Without one, a button shows it.

const form = document.querySelector("form.variant");
let asking = new AbortController();

form.addEventListener("change", async () => {
  asking.abort(); // an answer that comes late must not put back what stood before
  const { signal } = (asking = new AbortController());
  const fields = [...new FormData(form)].filter(([, value]) => value);
  const response = await fetch(`${form.getAttribute("action")}?${new URLSearchParams(fields)}`, { signal }).catch(() => null);
  const text = await response?.text().catch(() => "");
  const found = new DOMParser().parseFromString(text ?? "", "text/html");
  if (signal.aborted || !found.getElementById("result")) return;
  for (const id of ["result", "refused"]) document.getElementById(id).replaceChildren(...found.getElementById(id).childNodes);
  history.replaceState(null, "", response.url);
});
form.querySelector("#show").hidden = true;
