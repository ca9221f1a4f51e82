/** OAuth applications that publish client ID metadata documents over TLS, well-behaved and not. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Server as NetServer } from "node:net";
import type { Ports } from "../ports.ts";
import { openCertificate } from "./certificate.ts";

interface StartedApp {
  readonly server: Server;
  /** Origin, such as `https://127.0.0.1:15001`. */
  readonly url: string;
  readonly certificate: string;
}

const LOOPBACK_REDIRECTS = ["http://127.0.0.1/callback", "http://localhost/callback"];

type Respond = (response: ServerResponse, document: Record<string, unknown>) => void;

const sendJson: Respond = (response, document) =>
  void response
    .writeHead(200, { "content-type": "application/json", "cache-control": "max-age=600" })
    .end(JSON.stringify(document));

/** Responses to `/apps/<fault>-<name>.json`; any other name gets a valid document. */
const FAULTS: Readonly<Record<string, Respond>> = {
  redirect: (response) => void response.writeHead(302, { location: "/client.json" }).end(),
  missing: (response) => void response.writeHead(404).end(),
  text: (response, document) =>
    void response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(document)),
  malformed: (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"),
  long: (response, document) => sendJson(response, { ...document, padding: "x".repeat(6_000) }),
  mismatch: (response, document) => sendJson(response, { ...document, client_id: `${document["client_id"]}x` }),
  secret: (response, document) => sendJson(response, { ...document, token_endpoint_auth_method: "client_secret_post" }),
  plain: (response, document) => sendJson(response, { ...document, redirect_uris: ["http://app.example/callback"] }),
  // Sends the headers and never the end of the body.
  slow: (response) => void response.writeHead(200, { "content-type": "application/json" }).write("{"),
};

/** Starts the applications. `<origin>/callback` shows the authorization response. */
export async function startApp(dataDir: string, ports: Ports, host: string): Promise<StartedApp> {
  const { key, cert } = openCertificate(dataDir, host);
  const retrievals = new Map<string, number>();
  let url = "";
  const server = createServer({ key, cert }, (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    const [, name] = /^\/apps\/([\w-]+)\.json$/.exec(pathname) ?? [];
    if (pathname === "/retrievals") {
      const count = retrievals.get(searchParams.get("path") ?? "") ?? 0;
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ count }));
    }
    if (pathname === "/callback") {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      return void response.end([...searchParams].map(([parameter, value]) => `${parameter}: ${value}`).join("\n"));
    }
    if (pathname !== "/client.json" && name === undefined) return void response.writeHead(404).end();
    retrievals.set(pathname, (retrievals.get(pathname) ?? 0) + 1);
    const respond = FAULTS[name?.split("-", 1)[0] ?? ""] ?? sendJson;
    respond(response, {
      client_id: url + pathname,
      client_name: name === undefined ? "Sandbox app" : `App ${name}`.slice(0, 60),
      redirect_uris: [`${url}/callback`, ...LOOPBACK_REDIRECTS, "com.example.sandbox:/callback"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
  });
  const origin = await ports.listen("app", server as unknown as NetServer);
  url = origin.replace("http:", "https:");
  return { server, url, certificate: cert };
}
