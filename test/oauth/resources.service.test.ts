/** Protected resources: their metadata, challenges, and tokens that are restricted to some of them. */
import fc from "fast-check";
import { createClient as createSocketClient } from "graphql-ws";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { scopesOf } from "../../rest-compat/route-access.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { OAUTH_SCOPES } from "../../src/oauth/scopes.ts";
import { formatResource, RESOURCE_PATHS, type ResourcePath } from "../../src/platform/http/resources.ts";
import { CATALOG } from "../mcp/catalog.ts";
import {
  authorizeClient,
  type Browser,
  createAuthorizePath,
  createClient,
  exchangeCode,
  obtainTokens,
  openSignedInBrowser,
  postOAuth,
  refreshTokens,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let browser: Browser;
let client: TestClient;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  browser = await openSignedInBrowser(stack, account.accountId);
  client = await createClient(stack);
});

const uri = (path: ResourcePath) => formatResource(stack.baseUrl, path);
const metadataUrl = (path: ResourcePath) =>
  `${stack.baseUrl}/.well-known/oauth-protected-resource${path === "/" ? "" : path}`;

/** Sends a token as `Authorization: Bearer`. */
async function request(token: string | null, path: string, init: RequestInit = {}) {
  const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
  const response = await fetch(stack.baseUrl + path, { ...init, headers });
  return { status: response.status, challenge: response.headers.get("www-authenticate"), text: await response.text() };
}

const query = (token: string | null, document = "{ viewer { id } }", accept = "application/json") =>
  request(token, "/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query: document }),
  });

/** A request to each resource. The token passes if the status is not 401. */
const PROBES: Readonly<Record<ResourcePath, (token: string) => Promise<number>>> = {
  "/": async (token) => (await request(token, "/mail/messages/aem_1/html")).status,
  "/graphql": async (token) => (await query(token)).status,
  "/api": async (token) => (await request(token, "/api/balance")).status,
  "/v1": async (token) => (await request(token, "/v1/models")).status,
  "/mcp": async (token) =>
    (await request(token, "/mcp", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }))
      .status,
};

describe("metadata", () => {
  it.each(RESOURCE_PATHS)("describes %s to any origin", async (path) => {
    const resource = new URL(uri(path));
    const insecure = { [oauth.allowInsecureRequests]: true };
    const discovered = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    expect(discovered).toMatchObject({ resource: uri(path), authorization_servers: [stack.baseUrl] });
    const cors = await fetch(metadataUrl(path), { headers: { origin: "https://any.example" } });
    expect(cors.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await fetch(metadataUrl(path), { method: "OPTIONS", headers: { origin: "https://any.example" } });
    expect(preflight.headers.get("access-control-allow-headers")).toBe("*");
  });

  it("lists the scopes of each resource, and none that applications cannot have", async () => {
    const scopes = async (path: ResourcePath) =>
      ((await (await fetch(metadataUrl(path))).json()) as { scopes_supported: string[] }).scopes_supported;
    expect(await scopes("/v1")).toEqual(["payments:sign"]);
    const listed = await scopes("/api");
    for (const scope of ROUTES.flatMap(scopesOf)) expect(listed.includes(scope)).toBe(scope !== "account:manage");
    expect(await scopes("/graphql")).toContain("cards:read");
    const ofTools = new Set(CATALOG.flatMap((entry) => entry.scopes));
    expect(new Set(await scopes("/mcp"))).toEqual(ofTools);
    expect(ofTools.has("orders:write") && !ofTools.has("account:read")).toBe(true);
    expect(new Set(await scopes("/"))).toEqual(new Set([...listed, ...(await scopes("/graphql"))]));
  });
});

describe("challenges", () => {
  it.each([
    ["/api/balance", "/api"],
    ["/v1/models", "/v1"],
    ["/oauth/userinfo", "/"],
    ["/mail/messages/aem_1/html", "/"],
  ] as const)("names the metadata on a 401 of %s", async (path, resource) => {
    const metadata = `resource_metadata="${metadataUrl(resource)}"`;
    expect(await request(null, path)).toMatchObject({ status: 401, challenge: `Bearer realm="satchel", ${metadata}` });
    expect((await request("wrong", path)).challenge).toBe(`Bearer realm="satchel", error="invalid_token", ${metadata}`);
  });

  it("names it where GraphQL requires a credential", async () => {
    const { challenge } = await query(null, "{ viewer { wallet { creditUsd } } }");
    expect(challenge).toBe(`Bearer realm="satchel", resource_metadata="${metadataUrl("/graphql")}"`);
  });

  it("lists every scope of the operation if one is missing", async () => {
    const strict = await createClient(stack, { strictScopes: true });
    const { access_token: token } = await obtainTokens(stack, browser, strict, { parameters: { scope: "agent:read" } });
    const insufficient = (scope: string, path: ResourcePath) =>
      `Bearer realm="satchel", error="insufficient_scope", scope="${scope}", resource_metadata="${metadataUrl(path)}"`;
    expect(await request(token, "/api/balance")).toMatchObject({
      status: 403,
      challenge: insufficient("balance:read", "/api"),
    });
    const document =
      "query A { viewer { ...W transactions { nodes { id } } } } fragment W on Viewer { wallet { creditUsd } }";
    const denied = await query(token, document.replace("nodes { id }", "edges { node { id } }"));
    expect(denied.challenge).toBe(insufficient("balance:read transactions:read", "/graphql"));
    const node = await query(
      token,
      `{ node(id: "VHJhbnNhY3Rpb246eA==") { ... on Transaction { id } } agent: viewer { agent { id } } }`,
    );
    expect(node.challenge ?? "").not.toContain("account:manage");
    expect((await query(token)).challenge).toBeNull();
  });
});

describe("resource indicators", () => {
  it("restricts tokens to the requested resource, and refresh to the granted ones", async () => {
    const redirect = await authorizeClient(browser, client, { resource: `${uri("/graphql")} ${uri("/v1")}` });
    const code = redirect.get("code") ?? "";
    const wider = await exchangeCode(stack, client, code, { resource: uri("/api") });
    expect([wider.status, wider.json.error]).toEqual([400, "invalid_target"]);
    const { json: tokens } = await exchangeCode(stack, client, code, { resource: uri("/v1") });
    expect(await probe(tokens.access_token)).toEqual({
      "/": false,
      "/graphql": false,
      "/api": false,
      "/v1": true,
      "/mcp": false,
    });
    const refused = await request(tokens.access_token, "/api/balance");
    expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') });
    expect(refused.text).toContain("issued for another resource");
    expect((await request(tokens.access_token, "/oauth/userinfo")).status).toBe(200);

    const introspected = await postOAuth(stack, "/oauth/introspect", {
      token: tokens.access_token,
      client_id: client.clientId,
      client_secret: client.secret,
    });
    expect(introspected.json.aud).toEqual([uri("/v1")]);

    // The refresh token retains all resources of the authorization.
    const { json: all } = await refreshTokens(stack, client, tokens.refresh_token);
    expect(await probe(all.access_token)).toEqual({
      "/": false,
      "/graphql": true,
      "/api": false,
      "/v1": true,
      "/mcp": false,
    });
    const lost = await refreshTokens(stack, client, all.refresh_token, { resource: uri("/v1") });
    const other = await refreshTokens(stack, client, all.refresh_token, { resource: uri("/graphql") });
    expect([other.status, other.json.error]).toEqual([400, "invalid_target"]);
    const repeated = await refreshTokens(stack, client, all.refresh_token, { resource: uri("/v1") });
    expect(repeated.json.access_token).toBe(lost.json.access_token);
    const beyond = await refreshTokens(stack, client, all.refresh_token, { resource: uri("/") });
    expect([beyond.status, beyond.json.error]).toEqual([400, "invalid_target"]);
  });

  it("ignores a trailing slash and refuses other URIs", async () => {
    const { access_token: token } = await obtainTokens(stack, browser, client, {
      parameters: { resource: `${stack.baseUrl}/` },
    });
    expect(await probe(token)).toEqual({ "/": true, "/graphql": true, "/api": true, "/v1": true, "/mcp": true });
    for (const resource of ["https://other.example/api", "/api", `${uri("/api")}#x`, `${uri("/api")}/balance`, "x"]) {
      const response = await browser.navigate(createAuthorizePath(client.clientId, { resource }));
      const { searchParams } = new URL(response.headers.get("location") ?? "");
      expect([searchParams.get("error"), searchParams.get("iss")], resource).toEqual(["invalid_target", stack.baseUrl]);
    }
  });

  it("applies to event streams and WebSockets", async () => {
    const tokenFor = async (path: ResourcePath) =>
      (await obtainTokens(stack, browser, client, { parameters: { resource: uri(path) } })).access_token;
    const [own, other] = await Promise.all([tokenFor("/graphql"), tokenFor("/api")]);
    const stream = (token: string) => query(token, "{ viewer { sub } }", "text/event-stream");
    expect((await stream(own)).text).toContain(account.accountId);
    expect((await stream(other)).text).toContain("issued for another resource");
    expect(await subOverSocket(own)).toContain(account.accountId);
    await expect(subOverSocket(other)).rejects.toMatchObject({ code: 4403 });
  });

  it("passes exactly the tokens with the resource and the scopes of the access table", async () => {
    const strict = await createClient(stack, { strictScopes: true });
    const read = ROUTES.filter((route) => route.method === "GET" && !route.path.includes("{"))
      .filter(({ query: parameters, authentication }) => !authentication && parameters.safeParse({}).success)
      .map((route) => ({ path: route.path, scopes: scopesOf(route) }))
      .filter(({ scopes }) => scopes.length > 0 && !scopes.includes("account:manage"));
    expect(read.length).toBeGreaterThan(3);
    const scopes = fc.subarray([...OAUTH_SCOPES], { minLength: 1 });
    const property = fc.asyncProperty(scopes, fc.constantFrom(...RESOURCE_PATHS), async (granted, resource) => {
      const { access_token: token } = await obtainTokens(stack, browser, strict, {
        parameters: { scope: granted.join(" "), resource: uri(resource) },
      });
      const isCovered = resource === "/" || resource === "/api";
      const checks = read.map(async ({ path, scopes: required }) => {
        const { status, challenge } = await request(token, path);
        const isMissing = required.some((scope) => !(granted as readonly string[]).includes(scope));
        expect([path, status === 401, status === 403]).toEqual([path, !isCovered, isCovered && isMissing]);
        if (status === 403) expect(challenge).toContain(`error="insufficient_scope", scope="${required.join(" ")}"`);
      });
      await Promise.all(checks);
    });
    await fc.assert(property, { numRuns: 8 });
  });

  it("accepts a token exactly where its resources cover the request", async () => {
    const covers = (list: readonly string[], path: string) =>
      list.length === 0 || list.includes("/") || list.includes(path);
    const subset = fc.subarray([...RESOURCE_PATHS]);
    const property = fc.asyncProperty(subset, subset, async (granted, requested) => {
      const redirect = await authorizeClient(browser, client, { resource: granted.map(uri).join(" ") || null });
      const more = requested.length === 0 ? {} : { resource: requested.map(uri).join(" ") };
      const { status, json } = await exchangeCode(stack, client, redirect.get("code") ?? "", more);
      const isWithin = requested.every((path) => covers(granted, path));
      expect(status).toBe(isWithin ? 200 : 400);
      if (!isWithin) return;
      const audience = requested.length > 0 ? requested : granted;
      const expected = RESOURCE_PATHS.map((path) => [path, covers(audience, path)]);
      expect(await probe(json.access_token)).toEqual(Object.fromEntries(expected));
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

async function probe(token: string) {
  const probed = RESOURCE_PATHS.map(async (path) => [path, (await PROBES[path](token)) !== 401] as const);
  return Object.fromEntries(await Promise.all(probed));
}

function subOverSocket(token: string): Promise<string> {
  const socket = createSocketClient({
    url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { Authorization: `Bearer ${token}` },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.subscribe(
    { query: "{ viewer { sub } }" },
    { next: (result) => resolve(JSON.stringify(result)), error: reject, complete: () => undefined },
  );
  return promise.finally(() => socket.dispose());
}
