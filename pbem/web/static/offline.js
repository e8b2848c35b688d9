// The worker that shows a page when the server cannot be reached. It is made anew for each version; in another language
// it keeps its words anew, since browsers lose pages that are asked for while a worker takes the place of another.

const { lang } = document.documentElement;
navigator.serviceWorker
  ?.register(`/sw.js${new URL(import.meta.url).search}`)
  .then(({ active }) => active?.postMessage({ lang }))
  .catch(() => {}); // a browser may forbid it
