/** The OAuth routes as HTTP: bodies, methods, headers and redacted logs. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addHead } from "../../rest-compat/allowed-methods.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import {
  authorizeClient,
  type Browser,
  CALLBACK,
  createAuthorizePath,
  createClient,
  obtainTokens,
  openSignedInBrowser,
  postOAuth,
  refreshTokens,
  type TestClient,
} from "../support/oauth.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const log: string[] = [];
let stack: OwnStack;
let account: TestAccount;
let person: Browser;
let client: TestClient;

beforeAll(async () => {
  stack = await startStack({ onLog: (line) => void log.push(line) });
  account = await stack.account();
  person = await openSignedInBrowser(stack, account.accountId);
  client = await createClient(stack);
});
afterAll(() => stack.stop());

const basic = ({ clientId, secret }: TestClient) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
});
const codeOf = async () => (await authorizeClient(person, client)).get("code") ?? "";
const codeRequest = (code: string) => ({ grant_type: "authorization_code", code, redirect_uri: CALLBACK });
const post = (path: string, body: string, contentType?: string, headers: Record<string, string> = {}) =>
  fetch(stack.baseUrl + path, {
    method: "POST",
    body,
    headers: { ...(contentType ? { "content-type": contentType } : {}), ...headers },
  });

describe("the token endpoint", () => {
  it("accepts JSON, a form, and the secret in the header", async () => {
    const inBody = { client_id: client.clientId, client_secret: client.secret };
    const replies = [
      await postOAuth(stack, "/oauth/token", { ...codeRequest(await codeOf()), ...inBody }, { as: "json" }),
      await postOAuth(stack, "/oauth/token", { ...codeRequest(await codeOf()), ...inBody }),
      await postOAuth(stack, "/oauth/token", codeRequest(await codeOf()), { as: "json", headers: basic(client) }),
      await postOAuth(stack, "/oauth/token", codeRequest(await codeOf()), { headers: basic(client) }),
    ];
    for (const { status, json, headers } of replies) {
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(["access_token", "refresh_token", "token_type", "expires_in", "scope"]);
      expect(headers.get("cache-control")).toBe("no-store");
    }
    const { json } = replies[0] ?? { json: {} };
    const again = await postOAuth(
      stack,
      "/oauth/token",
      { grant_type: "refresh_token", refresh_token: json.refresh_token, client_id: client.clientId },
      { as: "json" },
    );
    expect(again.status).toBe(200);
  });

  it.each([
    ["a number", { grant_type: "authorization_code", code: 1 }, "code"],
    ["an array", { grant_type: ["authorization_code"], code: "x" }, "grant_type"],
    ["an object", { grant_type: "authorization_code", code: { x: 1 } }, "code"],
    ["a boolean", { grant_type: true }, "grant_type"],
  ])("rejects %s as a value, and names the parameter", async (_name, body, name) => {
    const { status, json } = await postOAuth(stack, "/oauth/token", body, { as: "json" });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", error_description: `${name} must be a string.` });
  });

  it("ignores unknown members with any value", async () => {
    const more = { client_id: client.clientId, client_secret: client.secret, metadata: { os: "linux" }, retries: 2 };
    const body = { ...codeRequest(await codeOf()), ...more, code_verifier: null };
    expect((await postOAuth(stack, "/oauth/token", body, { as: "json" })).status).toBe(200);
  });

  it.each([
    ["a form", "grant_type=refresh_token&code=a&code=b", "application/x-www-form-urlencoded"],
    ["JSON", '{"grant_type":"refresh_token","code":"a","co\\u0064e":"b"}', "application/json"],
  ])("rejects a repeated parameter in %s, and ignores unknown ones", async (_name, body, type) => {
    const reply = await post("/oauth/token", body, type);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: "invalid_request",
      error_description: "code must not be repeated.",
    });
    const unknown = await post("/oauth/token", body.replaceAll("co", "xo"), type);
    expect((await unknown.json()).error).toBe("invalid_client");
  });

  it.each([
    ["no JSON", "{", "application/json"],
    ["a JSON list", "[]", "application/json"],
    ["a form that is no UTF-8", "code=%ff", "application/x-www-form-urlencoded"],
    ["another type", "<x/>", "application/xml"],
    ["no type", "code=x", undefined],
    ["nothing", "", "application/json"],
  ])("refuses %s", async (_name, body, type) => {
    const reply = await post("/oauth/token", body, type);
    expect(reply.status).toBe(400);
    expect((await reply.json()).error).toBe("invalid_request");
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  it("rejects more than 64 KiB", async () => {
    const reply = await post("/oauth/token", `code=${"x".repeat(66_000)}`, "application/x-www-form-urlencoded");
    expect(reply.status).toBe(413);
    expect((await reply.json()).error).toBe("invalid_request");
  });

  it("accepts client credentials in one place only, and sends a challenge for an invalid header", async () => {
    const both = { ...codeRequest("x"), client_id: client.clientId, client_secret: client.secret };
    const twice = await postOAuth(stack, "/oauth/token", both, { headers: basic(client) });
    expect(twice.json.error).toBe("invalid_request");
    const other = { ...codeRequest("x"), client_id: "cl_other" };
    expect((await postOAuth(stack, "/oauth/token", other, { headers: basic(client) })).json.error).toBe(
      "invalid_request",
    );
    for (const authorization of [
      basic({ ...client, secret: "wrong" }).authorization,
      "Basic",
      "Basic !",
      "Basic eDp4JSU=",
    ]) {
      const refused = await postOAuth(stack, "/oauth/token", codeRequest("x"), { headers: { authorization } });
      expect(refused.status).toBe(401);
      expect(refused.json.error).toBe("invalid_client");
      expect(refused.headers.get("www-authenticate")).toBe('Basic realm="satchel"');
    }
  });

  it("reads no parameter from the URL", async () => {
    const query = new URLSearchParams({ ...codeRequest(await codeOf()), client_id: client.clientId });
    const reply = await post(`/oauth/token?${query}`, "", "application/x-www-form-urlencoded");
    expect((await reply.json()).error).toBe("invalid_request");
  });
});

describe.each(OAUTH_ROUTES.map((route) => [route.path, route] as const))("%s", (path, route) => {
  const methods = addHead(route.methods);
  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !methods.includes(method)))(
    "responds to %s with 405 and the allowed methods",
    async (method) => {
      const reply = await fetch(stack.baseUrl + path, { method });
      expect(reply.status).toBe(405);
      expect(reply.headers.get("allow")).toBe([...methods, "OPTIONS"].join(", "));
    },
  );

  it("responds to OPTIONS with the allowed methods", async () => {
    const { status, headers } = await fetch(stack.baseUrl + path, { method: "OPTIONS" });
    expect([status, headers.get("allow")]).toEqual([204, [...methods, "OPTIONS"].join(", ")]);
  });
});

describe("userinfo", () => {
  const sendRequest = (headers: Record<string, string>, method = "GET") =>
    fetch(`${stack.baseUrl}/oauth/userinfo`, { method, headers });

  it("returns the account owner, and no agent before its registration", async () => {
    const { access_token } = await obtainTokens(stack, person, client, { parameters: { scope: "agent:read" } });
    for (const method of ["GET", "POST"]) {
      const reply = await sendRequest({ authorization: `Bearer ${access_token}` }, method);
      const sub = `did:web:${encodeURIComponent(new URL(stack.baseUrl).host)}:users:${account.accountId}`;
      expect(await reply.json()).toEqual({ sub });
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("sends a challenge, with an error only if a token was sent", async () => {
    const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource"`;
    const missing = await sendRequest({});
    expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="satchel", ${metadata}`,
    ]);
    const wrong = await sendRequest({ authorization: "Bearer x" });
    expect(wrong.headers.get("www-authenticate")).toBe(`Bearer realm="satchel", error="invalid_token", ${metadata}`);
    expect((await wrong.json()).error).toBe("invalid_token");
    // A session cookie is valid only on the dashboard, not for API routes.
    expect((await sendRequest({ cookie: person.cookie ?? "" })).status).toBe(401);
  });
});

it("never logs codes, tokens, secrets or states, not even in part", async () => {
  const state = "state-that-nobody-logs";
  const answer = await authorizeClient(person, client, { state });
  const code = answer.get("code") ?? "";
  const exchanged = await postOAuth(stack, "/oauth/token", codeRequest(code), { headers: basic(client) });
  const refreshed = await refreshTokens(stack, client, exchanged.json.refresh_token);
  await postOAuth(stack, "/oauth/token", codeRequest(code), { headers: basic(client) });
  await person.navigate(createAuthorizePath(client.clientId, { state, prompt: "none", scope: "nonsense" }));
  await stack.rest(null, "GET", `/oauth/userinfo?access_token=${refreshed.json.access_token}`);
  // Requests that Node's parser rejects are logged separately.
  await new Promise((resolve) =>
    request(`${stack.baseUrl}/oauth/authorize?state=${state}`, { headers: { "x-a": "y".repeat(20_000) } }, resolve)
      .on("error", resolve)
      .end(),
  );
  const text = log.join("");
  expect(text).toContain('"route":"/oauth/token"');
  expect(text).toContain('"route":"/oauth/continue"');
  const secrets = [
    code,
    client.secret,
    exchanged.json.access_token,
    exchanged.json.refresh_token,
    refreshed.json.access_token,
  ];
  for (const secret of secrets) expect(text).not.toContain(secret.slice(15, 35));
  expect(text).not.toContain(state);
});
