// Evaluated in each document from the release of the card on. Workers that the gate cannot watch are refused: a worker's own
// workers, which start before they are attached, and its sockets, which no route sees.
(() => {
  const Native = self.Worker;
  if (typeof Native !== "function" || Native.isGuarded) return;
  const guard = `for (const name of ["Worker", "SharedWorker", "WebSocket", "WebSocketStream", "WebTransport"])
    try { Object.defineProperty(self, name, { value: undefined }); } catch {}`;
  class GuardedWorker extends Native {
    static isGuarded = true;
    constructor(url, options) {
      const address = JSON.stringify(new URL(url, document.baseURI).href);
      const load = options?.type === "module" ? `await import(${address})` : `importScripts(${address})`;
      super(URL.createObjectURL(new Blob([`${guard}\n${load};`], { type: "text/javascript" })), options);
    }
  }
  Object.defineProperty(GuardedWorker, "name", { value: "Worker" });
  self.Worker = GuardedWorker;
})();
