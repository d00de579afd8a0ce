// The service worker: caches the page and the puzzles that were opened, for use when the server is down.

const KEPT = "edgematch-1";

/** Requests with stable answers. */
const LASTING = ["/api/game", "/api/signs", "/api/difficulties", "/api/thumbnails"];

/** The cache key of a request. The cache only supports GET, so a body is represented by its digest. */
async function keyOf(request) {
  const { pathname } = new URL(request.url);
  if (request.method === "GET") {
    return request.url;
  }
  const digest = await crypto.subtle.digest("SHA-256", await request.clone().arrayBuffer());
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${pathname}?${hex}`;
}

/** The server's response, or a cached one if the server does not respond. */
async function answer(request) {
  const key = await keyOf(request);
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(key, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) {
      return kept;
    }
    throw error;
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isLasting = event.request.method === "GET" || LASTING.includes(pathname);
  if (origin === location.origin && isLasting) {
    event.respondWith(answer(event.request));
  }
});
