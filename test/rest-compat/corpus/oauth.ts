/** Authorizations, tokens and metadata of the OAuth provider. */
import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { RESOURCE_METADATA } from "../../../rest-compat/routes/oauth-resources.ts";
import { networkOf } from "../../../src/platform/http/client-address.ts";
import {
  authorizeClient,
  type Browser,
  CALLBACK,
  createChallengeParameters,
  createClient,
  createPkce,
  decideAuthorization,
  obtainTokens,
  openSignedInBrowser,
  type Pkce,
  readRequestId,
  type TestClient,
} from "../../support/oauth.ts";
import { exhaust, type Scenario } from "./scenario.ts";

const AUTHORIZE = "GET /oauth/authorize";
const AUTHORIZE_POST = "POST /oauth/authorize";
const CONTINUE = "GET /oauth/continue";
const PUSH = "POST /oauth/par";
const TOKEN = "POST /oauth/token";
const DEVICE = "POST /oauth/device_authorization";
const REVOKE = "POST /oauth/revoke";
const INTROSPECT = "POST /oauth/introspect";
const USER_INFO = "GET /oauth/userinfo";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const ALL_SCOPES = "payments:sign balance:read transactions:read email:read agent:read";

export async function recordOAuth(scenario: Scenario): Promise<void> {
  const { stack, send } = scenario;
  const account = await stack.account();
  const browser = await openSignedInBrowser(stack, account.accountId);
  const client = await createClient(stack);
  await send("GET /.well-known/oauth-authorization-server", "200");
  for (const { path } of RESOURCE_METADATA) await send(`GET ${path}`, "200");
  await recordAuthorizations(scenario, browser, client);
  await recordTokens(scenario);
  await recordRegistrations(scenario);
}

async function recordAuthorizations({ stack, send }: Scenario, browser: Browser, client: TestClient) {
  const origin = stack.service.deps.site.browserUrl();
  const headers = { cookie: browser.cookie ?? "", "sec-fetch-site": "cross-site" };
  const usual = { client_id: client.clientId, redirect_uri: CALLBACK, response_type: "code", state: "st-1" };
  const authorize = (name: string, more: Record<string, string> = {}) =>
    send(AUTHORIZE, name, { origin, headers, query: { ...usual, ...more } });
  const consent = await authorize("303 to the consent page", {
    scope: ALL_SCOPES,
    ...createChallengeParameters(createPkce()),
  });
  const { continueUrl } = await decideAuthorization(
    browser,
    new URL(consent.headers.get("location") ?? "").searchParams.get("request") ?? "",
  );
  const query = { request: new URL(continueUrl).searchParams.get("request") ?? "" };
  await send(CONTINUE, "303 approved", { origin, headers, query });
  await send(CONTINUE, "400 repeated", { origin, headers, query });
  await send(CONTINUE, "400 no request", { origin, headers });
  await authorize("303 with a code at once");
  await authorize("303 with a code at once, in a pop-up", { display: "popup" });
  await authorize("200 with a code at once, for the opener", { response_mode: "web_message" });
  const body = String(new URLSearchParams({ ...usual, scope: "balance:read" }));
  await send(AUTHORIZE_POST, "303", { origin, headers: { ...headers, ...FORM }, body });
  await send(AUTHORIZE_POST, "400", { origin, headers: { ...headers, ...FORM }, body: "client_id=none" });
  const deny = await browser.navigate(`/oauth/authorize?${new URLSearchParams({ ...usual, prompt: "consent" })}`);
  const denied = readRequestId(deny);
  await decideAuthorization(browser, denied, { approve: false });
  await send(CONTINUE, "303 denied", { origin, headers, query: { request: denied } });
  await send(AUTHORIZE, "303 to localhost", { query: usual });
  const cases: Record<string, Record<string, string>> = {
    "303 no scope": { scope: "nonsense" },
    "303 response type": { response_type: "token" },
    "303 response mode": { response_mode: "fragment" },
    "303 challenge method": { code_challenge: "x", code_challenge_method: "plain" },
    "303 prompt": { prompt: "none login" },
    "303 request object": { request: "x" },
    "303 request by reference": { request_uri: "https://app.example/request" },
    "400 unknown client": { client_id: "cl_none" },
    "400 redirect": { redirect_uri: "https://other.example/" },
  };
  for (const [name, more] of Object.entries(cases)) await authorize(name, more);
  const other = await createClient(stack);
  await authorize("303 consent required", { client_id: other.clientId, prompt: "none" });
  await send(AUTHORIZE, "303 login required", { origin, query: { ...usual, prompt: "none" } });
  for (const status of ["pending_approval", "rejected", "revoked"] as const) {
    const { clientId } = await createClient(stack, { status });
    await authorize(`400 ${status}`, { client_id: clientId });
  }
  const { clientId } = await createClient(stack, { kind: "public" });
  await authorize("303 no challenge", { client_id: clientId });
  for (const ip of ["127.0.0.1", "::1"]) await exhaust(stack, "oauth_authorize", networkOf(ip), 300).catch(() => {});
  await authorize("429");
  await send(AUTHORIZE_POST, "429", { origin, headers: { ...headers, ...FORM }, body });
}

/** Records tokens at the other service: the limit of authorizations is used up at the first. */
async function recordTokens({ bare: stack, sendToBare: send }: Scenario) {
  const account = await stack.account();
  const browser = await openSignedInBrowser(stack, account.accountId);
  const client = await createClient(stack);
  const credentials = { client_id: client.clientId, client_secret: client.secret };
  const form = (parameters: Record<string, string>) => ({
    headers: FORM,
    body: String(new URLSearchParams(parameters)),
  });
  const codeOf = async (pkce: Pkce | null = null) =>
    (await authorizeClient(browser, client, pkce ? createChallengeParameters(pkce) : {})).get("code") ?? "";
  const grant = { grant_type: "authorization_code", redirect_uri: CALLBACK };
  const code = await codeOf();
  const { json } = await send(TOKEN, "200 code, as a form", form({ ...grant, code, ...credentials }));
  await send(TOKEN, "400 used code", form({ ...grant, code, ...credentials }));
  await send(TOKEN, "200 code, as JSON", { body: { ...grant, code: await codeOf(), ...credentials } });
  const basic = { authorization: `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString("base64")}` };
  await send(TOKEN, "200 code, secret in the header", { headers: basic, body: { ...grant, code: await codeOf() } });
  const pkce = createPkce();
  const verified = { ...grant, code: await codeOf(pkce), ...credentials, code_verifier: pkce.verifier };
  await send(TOKEN, "200 code with its verifier", form(verified));
  const bound = { ...grant, code: await codeOf(pkce), ...credentials };
  await send(TOKEN, "400 no verifier", form(bound));
  const tokens = await obtainTokens(stack, browser, client, { parameters: { scope: ALL_SCOPES } });
  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: client.clientId };
  const refreshed = await send(TOKEN, "200 refreshed", form(refresh));
  const narrower = { ...refresh, refresh_token: refreshed.json.refresh_token, scope: "balance:read" };
  const narrow = await send(TOKEN, "200 narrower scope", form(narrower));
  await send(
    TOKEN,
    "400 wider scope",
    form({ ...refresh, refresh_token: narrow.json.refresh_token, scope: "account:manage" }),
  );
  await send(TOKEN, "400 unknown refresh token", form({ ...refresh, refresh_token: "none" }));
  await send(TOKEN, "400 unknown code", form({ ...grant, code: "none", ...credentials }));
  await send(TOKEN, "400 grant type", form({ grant_type: "password", ...credentials }));
  await send(TOKEN, "400 no grant type", form(credentials));
  await send(TOKEN, "400 repeated", { headers: FORM, body: "grant_type=refresh_token&code=a&code=b" });
  await send(TOKEN, "400 not JSON", { headers: { "content-type": "application/json" }, body: "{" });
  await send(TOKEN, "400 media type", { headers: { "content-type": "application/xml" }, body: "<x/>" });
  await send(TOKEN, "401 secret", form({ ...grant, code: "none", ...credentials, client_secret: "wrong" }));
  await send(TOKEN, "401 secret in the header", {
    headers: { ...FORM, authorization: "Basic eDp4" },
    body: "grant_type=refresh_token",
  });
  await send(TOKEN, "413", { headers: FORM, body: `code=${"x".repeat(66_000)}` });
  const pending = await createClient(stack, { status: "pending_approval" });
  await send(
    TOKEN,
    "400 unauthorized client",
    form({ ...grant, code: "none", client_id: pending.clientId, client_secret: pending.secret }),
  );

  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const proofFor = (path: string) =>
    new SignJWT({ htm: "POST", htu: stack.baseUrl + path, jti: randomUUID() })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
      .setIssuedAt()
      .sign(privateKey);
  const request = { ...form({ ...grant, ...credentials, code: await codeOf(), resource: `${stack.baseUrl}/api` }) };
  const dpop = await proofFor("/oauth/token");
  const keyed = await send(TOKEN, "200 bound to a key", { ...request, headers: { ...FORM, dpop } });
  await send(INTROSPECT, "200 bound to a key", form({ token: keyed.json.access_token, ...credentials }));
  const otherResource = { ...grant, ...credentials, code: await codeOf(), resource: "https://other.example" };
  await send(TOKEN, "400 other resource", form(otherResource));
  await send(TOKEN, "400 proof", { ...form(refresh), headers: { ...FORM, dpop: "none" } });
  const pushed = { ...credentials, redirect_uri: CALLBACK, response_type: "code", state: "st-1" };
  await send(PUSH, "201", form(pushed));
  await send(PUSH, "400 redirect", form({ ...pushed, redirect_uri: "https://other.example/" }));
  await send(PUSH, "401", form({ ...pushed, client_secret: "wrong" }));
  const device = await createClient(stack, { kind: "public", deviceGrant: true });
  const started = await send(DEVICE, "200", form({ client_id: device.clientId }));
  await send(DEVICE, "400 client without the grant", form(credentials));
  await send(DEVICE, "401", form({ client_id: "cl_none" }));
  const poll = {
    ...{ grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: device.clientId },
    device_code: started.json.device_code,
  };
  await send(TOKEN, "400 device waits", form(poll));
  await send(TOKEN, "400 device polls too often", form(poll));
  await send(TOKEN, "400 unknown device code", form({ ...poll, device_code: "none" }));

  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await send(USER_INFO, "200", { headers });
  await send("POST /oauth/userinfo", "200", { headers });
  await send(USER_INFO, "401");
  await send(USER_INFO, "401 unknown token", { headers: { authorization: "Bearer none" } });
  await send("POST /oauth/userinfo", "401");
  const inspected = { token: json.access_token, ...credentials };
  await send(INTROSPECT, "200 access token", form(inspected));
  await send(INTROSPECT, "200 refresh token", form({ ...inspected, token: narrow.json.refresh_token }));
  await send(INTROSPECT, "200 inactive", form({ ...inspected, token: "none" }));
  await send(INTROSPECT, "400 no token", form(credentials));
  await send(INTROSPECT, "401", form({ ...inspected, client_secret: "wrong" }));
  await send(REVOKE, "200", form({ token: narrow.json.refresh_token, ...credentials }));
  await send(REVOKE, "200 unknown", form({ token: "none", ...credentials }));
  await send(REVOKE, "400 no token", form(credentials));
  await send(REVOKE, "401", form({ token: "none", ...credentials, client_secret: "wrong" }));
}

async function recordRegistrations({ send, sendToBare }: Scenario) {
  const REGISTER = "POST /oauth/register";
  const body = { client_name: "Tide Pool", redirect_uris: ["http://127.0.0.1/callback"] };
  await send(REGISTER, "201", { body });
  await send(REGISTER, "400 redirect URI", { body: { redirect_uris: ["https://app.example/callback"] } });
  await send(REGISTER, "400 metadata", { body: { ...body, client_name: "" } });
  await sendToBare(REGISTER, "404 not enabled", { body });
}
