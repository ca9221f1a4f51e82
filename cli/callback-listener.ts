/** Loopback HTTP listener that receives one OAuth authorization response (RFC 8252, section 7.3). */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Callback {
  /** The URL of the browser's request, with the response in its query. */
  readonly url: URL;
  /** Shows the result page in the browser. */
  respond(outcome: { readonly isSignedIn: boolean; readonly text: string }): void;
}

export interface CallbackListener {
  readonly redirectUri: string;
  /** Resolves with the first request whose `state` matches. Other requests are rejected without effect. */
  waitForCallback(state: string): Promise<Callback>;
  close(): Promise<void>;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export async function openCallbackListener(): Promise<CallbackListener> {
  const { promise, resolve } = Promise.withResolvers<Callback>();
  let expectedState: string | null = null;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", redirectUri);
    if (request.method !== "GET" || url.pathname !== "/callback") {
      return sendPage(
        response,
        404,
        "Page not found",
        "This URL receives only sign-in responses. Return to the terminal.",
      );
    }
    if (expectedState === null || url.searchParams.get("state") !== expectedState) {
      return sendPage(
        response,
        400,
        "Unknown sign-in",
        "The response belongs to another sign-in. You are not signed in. Return to the terminal and repeat the login.",
      );
    }
    expectedState = null;
    resolve({
      url,
      respond: ({ isSignedIn, text }) =>
        sendPage(response, isSignedIn ? 200 : 400, isSignedIn ? "Signed in" : "Sign-in failed", text),
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  return {
    redirectUri,
    waitForCallback(state) {
      expectedState = state;
      return promise;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        // Browsers do not close idle connections, and `server.close` waits for them.
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1_000).unref();
      }),
  };
}

function sendPage(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: ${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1c1b19; --muted: #6b675f }
@media (prefers-color-scheme: dark) { :root { --paper: #161513; --ink: #f2efe9; --muted: #a8a297 } }
body { margin: 20vh auto 0; max-width: 36rem; padding: 0 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.6 system-ui, sans-serif }
h1 { font: 24px/1.3 Georgia, serif; margin: 0 0 .5rem }
p { margin: 0; color: var(--muted) }
</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</html>
`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
