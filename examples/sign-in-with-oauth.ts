/**
 * Signs a user in from a program on their machine: OAuth 2.0 authorization code with PKCE and a loopback redirect.
 *
 * Run: node examples/sign-in-with-oauth.ts
 *
 * CLIENT_ID is your registered public client (docs/register-an-app.md), with `http://127.0.0.1/callback` among its redirect URIs; the
 * default is the command line's own. Without SATCHEL_URL it uses the sandbox that `npm start` runs in this folder.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const issuer = new URL(process.env["SATCHEL_URL"] ?? sandbox.baseUrl);
const client: oauth.Client = { client_id: process.env["CLIENT_ID"] ?? "service_cli" };
// The sandbox is on plain http.
const options = { [oauth.allowInsecureRequests]: issuer.protocol === "http:" };

const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
const server = await oauth.processDiscoveryResponse(issuer, discovered);

const listener = createServer().listen(0, "127.0.0.1");
await once(listener, "listening");
const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;

const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const authorizationUrl = new URL(String(server.authorization_endpoint));
authorizationUrl.search = new URLSearchParams({
  client_id: client.client_id,
  response_type: "code",
  redirect_uri: redirectUri,
  scope: "payments:sign balance:read",
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
}).toString();
console.log(`Open ${authorizationUrl}`);

const [request, page] = (await once(listener, "request")) as [IncomingMessage, ServerResponse];
page.setHeader("connection", "close").end("You can close this window.");
listener.close();

// Checks `state`, and `iss` against the issuer; throws if the user denied the request.
const callback = oauth.validateAuthResponse(server, client, new URL(String(request.url), redirectUri), state);
const granted = await oauth.authorizationCodeGrantRequest(
  server,
  client,
  oauth.None(),
  callback,
  redirectUri,
  verifier,
  options,
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted);
console.log(`Granted ${tokens.scope} for ${tokens.expires_in} seconds`);

const headers = { authorization: `Bearer ${tokens.access_token}` };
const balance = await fetch(new URL("/api/balance", issuer), { headers });
console.log(await balance.json());

// Before the access token expires: refresh, and store the new pair. When the user signs out: revoke.
const refreshed = await oauth.refreshTokenGrantRequest(
  server,
  client,
  oauth.None(),
  String(tokens.refresh_token),
  options,
);
const next = await oauth.processRefreshTokenResponse(server, client, refreshed);
await oauth.processRevocationResponse(
  await oauth.revocationRequest(server, client, oauth.None(), String(next.refresh_token), options),
);
console.log("Refreshed and revoked");
