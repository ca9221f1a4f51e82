/**
 * An untrusted merchant with a strict content security policy, fields in frames and shadow trees, and pages that display typed
 * data. The second origin, `localhost`, is its card processor.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface UntrustedMerchant {
  readonly url: string;
  readonly processorUrl: string;
  /** Received requests, such as `POST /pay`. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/** Copies typed data to other places: whole, in parts, into another field and into a shadow tree. */
const ECHO = `
const typed = document.querySelector("#number") ?? document.querySelector("input");
const shadow = document.querySelector("#host")?.attachShadow({ mode: "open" });
if (shadow) shadow.innerHTML = "<input id=deep value=''><p></p>";
document.adoptedStyleSheets = [];
typed?.addEventListener("input", () => {
  const digits = typed.value;
  const parts = digits.match(/.{1,4}/g) ?? [];
  for (const place of document.querySelectorAll(".echo")) place.textContent = "Order 1763775600000: 1 " + parts.join(" ");
  for (const place of document.querySelectorAll(".parts")) place.innerHTML = parts.map((part) => "<b>" + part + "</b>").join("-");
  for (const place of document.querySelectorAll(".copy")) place.value = digits;
  if (shadow) shadow.querySelector("p").textContent = digits;
});
document.querySelector("#ask")?.addEventListener("click", () => fetch("/track?cart=secretcart&step=2", { method: "POST", body: "posted-secret" }));
`;

const PAY = (processorUrl: string) => `<!doctype html><title>Pay</title><h1>Pay</h1>
<form action="/paid"><input id="email" name="email"><input id="number" name="a"><input id="marked" autocomplete="section-x billing CC-number">
<input class="copy" readonly><p class="echo"></p><p class="parts"></p><div id="host"></div></form>
<button id="ask">Open</button><a id="away" href="${processorUrl}/bank">away</a>
<iframe id="card" src="${processorUrl}/frame" width="600" height="120"></iframe><script src="/echo.js"></script>`;
const FRAME = `<!doctype html><input id="n"><textarea id="t"></textarea><p class="echo"></p><script src="/echo.js"></script>`;

export async function openUntrustedMerchant(): Promise<UntrustedMerchant> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const processorUrl = `http://localhost:${port}`;
    const { pathname } = new URL(request.url ?? "/", "http://x");
    requests.push(`${request.method} ${pathname}`);
    request.resume();
    response.setHeader("set-cookie", "session=secretcookie; HttpOnly");
    response.setHeader("content-type", pathname.endsWith(".js") ? "text/javascript" : "text/html");
    const pages: Record<string, string> = {
      "/pay": PAY(processorUrl),
      "/frame": FRAME,
      "/echo.js": ECHO,
      "/bank": "<!doctype html><title>Bank</title><input id=otp autofocus>",
      "/paid": "<!doctype html><title>Paid</title><p>Thank you",
    };
    const policy = `default-src 'none'; script-src 'self'; connect-src *; frame-src ${processorUrl}; form-action 'self'`;
    response.setHeader("content-security-policy", policy);
    if (pathname === "/hang") return;
    response.end(pages[pathname] ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    processorUrl: `http://localhost:${port}`,
    requests,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
