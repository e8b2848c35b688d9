// The button that has this browser told when it is its player's turn: shown where the browser can be.

const section = document.getElementById("notifications");
const form = section?.querySelector("form");

/** The bytes of a key in base64url. */
function bytes(key) {
  const plain = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (each) => each.charCodeAt(0));
}

/** Subscribes this browser, by the key that the server has now. */
async function subscribed() {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) });
}

async function unsubscribe() {
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    if (form.dataset.key) {
      const { endpoint, keys } = (await subscribed()).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys })) {
        if (form.elements[name]) form.elements[name].value = value;
      }
    } else await unsubscribe();
    form.submit();
  } catch {
    button.disabled = false;
    section.querySelector("[role=alert]").hidden = false;
  }
});

if (section && "PushManager" in window && "Notification" in window && navigator.serviceWorker) section.hidden = false;
