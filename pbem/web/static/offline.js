// The worker that shows a page when the server cannot be reached: it is made anew for each version and language.

const { lang } = document.documentElement;
navigator.serviceWorker?.register(`/sw.js${new URL(import.meta.url).search}-${lang}`).catch(() => {}); // a browser may forbid it
