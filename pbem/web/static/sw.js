// Shows a page of its own when the server cannot be reached, and tells of a player's turn.

const CACHE = "offline";
const PAGE = "/offline";
const WORDS = "/offline/words";
const STYLE = "/static/pbem.css";

/** Keeps what is shown without the server, in the language of whoever is here. */
async function keep() {
  const cache = await caches.open(CACHE);
  const kept = [PAGE, WORDS, STYLE].map((address) => new Request(address, { cache: "reload" }));
  await cache.addAll(kept);
}

function kept(address) {
  return caches.match(address, { cacheName: CACHE, ignoreSearch: true, ignoreVary: true });
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});

async function keepIn(lang) {
  const words = await kept(WORDS);
  if ((await words?.json())?.language !== lang) await keep();
}

addEventListener("message", (event) => {
  event.waitUntil(keepIn(event.data.lang));
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]));
});

async function visit(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return (await kept(PAGE)) || Response.error();
  }
}

async function styled(request) {
  try {
    return await fetch(request);
  } catch {
    return (await kept(STYLE)) || Response.error();
  }
}

// Forms are left to the browser: sent on from here they would seem to come from a page of this server, whoever sent them.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event));
  else if (new URL(request.url).pathname === STYLE) event.respondWith(styled(request));
});

/** Says that it is the player's turn at a board, in place of what was said of that board before. */
async function tell({ game, board }) {
  const words = await kept(WORDS).then((found) => found.json());
  const body = words.board.replace("{game}", game[0].toUpperCase() + game.slice(1)).replace("{board}", board);
  const look = { icon: "/static/icon-192.png", tag: `board-${board}`, renotify: true };
  await registration.showNotification(words.turn, { ...look, body, data: { board } });
}

addEventListener("push", (event) => {
  event.waitUntil(tell(event.data.json()));
});

async function open(address) {
  const pages = await clients.matchAll({ type: "window" });
  const there = pages.find((each) => new URL(each.url).pathname === address);
  await (there ? there.focus() : clients.openWindow(address));
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(`/boards/${event.notification.data.board}`));
});
