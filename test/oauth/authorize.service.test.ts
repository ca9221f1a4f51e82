/** `/oauth/authorize`: validation, errors, redirects and prompts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authorizeClient,
  type Browser,
  CALLBACK,
  createAuthorizePath,
  createBrowser,
  createChallengeParameters,
  createClient,
  createPkce,
  decideAuthorization,
  openSignedInBrowser,
  readRequestId,
  type TestClient,
} from "../support/oauth.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

let stack: OwnStack;
let account: TestAccount;
let user: Browser;
let anonymous: Browser;
let confidential: TestClient;
let spa: TestClient;

beforeAll(async () => {
  stack = await startStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
  anonymous = createBrowser(stack, null);
  confidential = await createClient(stack);
  spa = await createClient(stack, { kind: "public" });
});
afterAll(() => stack?.stop());

/** Returns the parameters of a redirect to the application. */
function redirectParameters(response: Response, redirectUri = CALLBACK): Record<string, string> {
  const location = response.headers.get("location") ?? "";
  expect(response.status).toBe(303);
  expect(location.startsWith(redirectUri), location).toBe(true);
  return Object.fromEntries(new URL(location).searchParams);
}

async function expectErrorPage(response: Response): Promise<string> {
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(response.headers.get("location")).toBeNull();
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(response.headers.get("content-security-policy")).not.toContain("script-src");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(text).toMatch(/<html lang="en">[\s\S]*<main>[\s\S]*<h1>/);
  return text;
}

describe("an error page instead of a redirect is returned for", () => {
  it.each([
    ["an unknown client", { client_id: "cl_unknown" }],
    ["no client", { client_id: null }],
    ["a client id with a null character", { client_id: "cl_\0" }],
    ["no redirect URI", { redirect_uri: null }],
    ["a path in another case", { redirect_uri: "https://app.example/Callback" }],
    ["a host in another case", { redirect_uri: "https://APP.example/callback" }],
    ["a trailing slash", { redirect_uri: `${CALLBACK}/` }],
    ["a query", { redirect_uri: `${CALLBACK}?x=1` }],
    ["an empty query", { redirect_uri: `${CALLBACK}?` }],
    ["a fragment", { redirect_uri: `${CALLBACK}#x` }],
    ["encoded dots", { redirect_uri: "https://app.example/x/%2e%2e/callback" }],
    ["dots", { redirect_uri: "https://app.example/x/../callback" }],
    ["userinfo", { redirect_uri: "https://user@app.example/callback" }],
    ["a port", { redirect_uri: "https://app.example:443/callback" }],
    ["http", { redirect_uri: "http://app.example/callback" }],
    ["a javascript: URI", { redirect_uri: "javascript:alert(1)" }],
    ["a loopback URI that this client did not register", { redirect_uri: "http://localhost:8080/callback" }],
  ])("%s", async (_name, parameters) => {
    await expectErrorPage(await user.navigate(createAuthorizePath(confidential.clientId, parameters)));
  });

  it.each(["client_id", "redirect_uri"])("a request without %s, which the page names", async (name) => {
    const path = createAuthorizePath(confidential.clientId, { [name]: null });
    expect(await expectErrorPage(await user.navigate(path))).toContain(`${name} is missing.`);
  });

  it.each(["pending_approval", "rejected", "revoked"] as const)("a client that is %s", async (status) => {
    const client = await createClient(stack, { status });
    await expectErrorPage(await user.navigate(createAuthorizePath(client.clientId)));
  });

  it("a duplicate client_id or redirect_uri", async () => {
    await expectErrorPage(await user.navigate(`${createAuthorizePath(confidential.clientId)}&client_id=x`));
    await expectErrorPage(
      await user.navigate(`${createAuthorizePath(confidential.clientId)}&redirect_uri=${CALLBACK}`),
    );
  });

  it("input with markup, which the page does not echo", async () => {
    const text = await expectErrorPage(
      await user.navigate(createAuthorizePath("<script>alert(1)</script>", { login_hint: "<img src=x>" })),
    );
    expect(text).not.toMatch(/<script|<img|alert/);
  });

  it("percent-encoding that is not UTF-8", async () => {
    await expectErrorPage(await user.navigate(`${createAuthorizePath(confidential.clientId)}&scope=%ff`));
  });
});

describe("the command line client", () => {
  it("skips consent only for a redirect URI that received a code before", async () => {
    const browser = await openSignedInBrowser(stack, (await stack.account()).accountId);
    const authorizeAt = (redirectUri: string, more: Record<string, string> = {}) => {
      const parameters = { redirect_uri: redirectUri, ...createChallengeParameters(createPkce()), ...more };
      return browser.navigate(createAuthorizePath("service_cli", parameters));
    };
    const usedUri = "http://localhost:5001/callback";
    const { continueUrl } = await decideAuthorization(browser, readRequestId(await authorizeAt(usedUri)));
    expect(redirectParameters(await browser.navigate(continueUrl), usedUri)["code"]).toBeDefined();
    expect(redirectParameters(await authorizeAt(usedUri), usedUri)["code"]).toBeDefined();

    const otherUri = "http://localhost:5002/callback";
    expect(redirectParameters(await authorizeAt(otherUri, { prompt: "none" }), otherUri)["error"]).toBe(
      "consent_required",
    );
    const requestId = readRequestId(await authorizeAt(otherUri));
    const query = "query ($id: ID!) { authorizationRequest(id: $id) { needsConsent } }";
    const { json } = await browser.graphql(query, { id: requestId });
    expect(json.data.authorizationRequest.needsConsent).toBe(true);
  });

  const authorizeCli = (
    redirectUri: string,
    more: Record<string, string | null> = createChallengeParameters(createPkce()),
  ) => anonymous.navigate(createAuthorizePath("service_cli", { redirect_uri: redirectUri, ...more }));

  it.each(["http://localhost:1/callback", "http://localhost:65535/callback", "http://127.0.0.1:49152/callback"])(
    "accepts the redirect URI %s",
    async (redirectUri) => expect(readRequestId(await authorizeCli(redirectUri))).toMatch(/^oar_/),
  );

  it.each([
    "http://localhost.evil.example:8080/callback",
    "http://127.0.0.1@evil.example:8080/callback",
    "http://localhost:8080@evil.example/callback",
    "http://localhost:8080/callback/..",
    "http://localhost:8080/other",
    "http://localhost:8080/callback?x=1",
    "http://localhost:8080/callback#x",
    "http://LOCALHOST:8080/callback",
    "http://localhost:0/callback",
    "http://localhost:65536/callback",
    "http://localhost:080/callback",
    "http://localhost/callback",
    "https://localhost:8080/callback",
    "http://[::1]:8080/callback",
    "http://127.0.0.2:8080/callback",
    "http://localhost:8080/callback\n",
  ])(
    "rejects the redirect URI %j",
    async (redirectUri) => void (await expectErrorPage(await authorizeCli(redirectUri))),
  );

  it("must use PKCE", async () => {
    const parameters = redirectParameters(
      await authorizeCli("http://localhost:8080/callback", {}),
      "http://localhost:8080/callback",
    );
    expect(parameters).toMatchObject({ error: "invalid_request", state: "st-1", iss: stack.baseUrl });
  });
});

describe("an error redirect to the application is returned for", () => {
  it.each<[string, Record<string, string | null>, string]>([
    ["no response type", { response_type: null }, "invalid_request"],
    ["token", { response_type: "token" }, "unsupported_response_type"],
    ["code and token", { response_type: "code token" }, "unsupported_response_type"],
    ["another response mode", { response_mode: "fragment" }, "invalid_request"],
    ["a request object", { request: "eyJ" }, "request_not_supported"],
    ["a request URI", { request_uri: "https://app.example/r" }, "request_uri_not_supported"],
    ["an unknown scope", { scope: "payments:sign everything" }, "invalid_scope"],
    ["the account's own scope", { scope: "account:manage" }, "invalid_scope"],
    ["openid, which is not supported", { scope: "openid" }, "invalid_scope"],
    ["a challenge without method", { code_challenge: createPkce().challenge }, "invalid_request"],
    ["plain", { code_challenge: createPkce().challenge, code_challenge_method: "plain" }, "invalid_request"],
    ["a method without challenge", { code_challenge_method: "S256" }, "invalid_request"],
    ["a short challenge", { code_challenge: "abc", code_challenge_method: "S256" }, "invalid_request"],
    [
      "a padded challenge",
      { code_challenge: `${createPkce().challenge}=`, code_challenge_method: "S256" },
      "invalid_request",
    ],
    ["an unknown prompt", { prompt: "select_account" }, "invalid_request"],
    ["none and login", { prompt: "none login" }, "invalid_request"],
    ["none and consent", { prompt: "consent none" }, "invalid_request"],
  ])("%s", async (_case, changes, error) => {
    const parameters = redirectParameters(await user.navigate(createAuthorizePath(confidential.clientId, changes)));
    expect(parameters).toMatchObject({ error, state: "st-1", iss: stack.baseUrl });
    // RFC 6749 section 4.1.2.1.
    expect(parameters["error_description"]).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(parameters["code"]).toBeUndefined();
  });

  it("a public client without a challenge", async () => {
    const parameters = redirectParameters(await user.navigate(createAuthorizePath(spa.clientId)));
    expect(parameters).toMatchObject({ error: "invalid_request", state: "st-1" });
  });

  it.each([
    ["missing", null],
    ["empty", ""],
  ])("a state that is %s", async (_name, state) => {
    const parameters = redirectParameters(await user.navigate(createAuthorizePath(confidential.clientId, { state })));
    expect(parameters).toMatchObject({ error: "invalid_request", iss: stack.baseUrl });
    expect(parameters["state"]).toBeUndefined();
  });

  it("a duplicate state, which is not returned", async () => {
    const parameters = redirectParameters(
      await user.navigate(`${createAuthorizePath(confidential.clientId)}&state=other`),
    );
    expect(parameters["error"]).toBe("invalid_request");
    expect(parameters["state"]).toBeUndefined();
  });

  it("another duplicate parameter", async () => {
    const parameters = redirectParameters(
      await user.navigate(`${createAuthorizePath(confidential.clientId)}&scope=a&scope=b`),
    );
    expect(parameters).toMatchObject({ error: "invalid_request", state: "st-1" });
  });
});

describe("state", () => {
  it.each(["a b+c&d=e%26", "ö ✓ 🧳", "x".repeat(2_000), '{"a":[1]}', "'\"><b>", "\r\nSet-Cookie: x=1", "%00", " "])(
    "returns %j byte for byte",
    async (state) => {
      const url = createAuthorizePath(confidential.clientId, { state, prompt: "none" });
      const location = (await anonymous.navigate(url)).headers.get("location") ?? "";
      const [, encoded] = /[?&]state=([^&]*)/.exec(location) ?? [];
      expect(decodeURIComponent(encoded ?? "")).toBe(state);
      const parameters = await authorizeClient(user, confidential, { state });
      expect(parameters.get("state")).toBe(state);
      expect(parameters.get("iss")).toBe(stack.baseUrl);
    },
  );

  it("is appended after the redirect URI's own query", async () => {
    const redirectUri = "https://app.example/cb?tenant=a%2Fb";
    const client = await createClient(stack, { redirectUris: [redirectUri] });
    const location =
      (
        await user.navigate(createAuthorizePath(client.clientId, { redirect_uri: redirectUri, prompt: "none" }))
      ).headers.get("location") ?? "";
    expect(location.startsWith(`${redirectUri}&error=`)).toBe(true);
  });
});

describe("prompt", () => {
  const silent = (client: TestClient, browser: Browser, more: Record<string, string> = {}) =>
    browser.navigate(createAuthorizePath(client.clientId, { prompt: "none", ...more }));

  it("prompt=none responds without a page: login_required, consent_required, or a code", async () => {
    const client = await createClient(stack);
    expect(redirectParameters(await silent(client, anonymous))["error"]).toBe("login_required");
    expect(redirectParameters(await silent(client, user))["error"]).toBe("consent_required");
    await authorizeClient(user, client, { scope: "balance:read" });
    expect(redirectParameters(await silent(client, user, { scope: "balance:read" }))["code"]).toBeDefined();
    // A grant with fewer scopes does not count as consent.
    expect(redirectParameters(await silent(client, user, { scope: "balance:read email:read" }))["error"]).toBe(
      "consent_required",
    );
    const otherUser = await openSignedInBrowser(stack, (await stack.account()).accountId);
    expect(redirectParameters(await silent(client, otherUser, { scope: "balance:read" }))["error"]).toBe(
      "consent_required",
    );
  });

  it("without prompt, consent is required once per scope", async () => {
    const client = await createClient(stack);
    const authorize = (scope: string) => user.navigate(createAuthorizePath(client.clientId, { scope }));
    expect(
      (await decideAuthorization(user, readRequestId(await authorize("balance:read email:read")))).continueUrl,
    ).toBeDefined();
    expect(redirectParameters(await authorize("email:read"))["code"]).toBeDefined();
    expect(readRequestId(await authorize("payments:sign"))).toMatch(/^oar_/);
  });

  it("prompt=consent always requires consent", async () => {
    const client = await createClient(stack);
    await authorizeClient(user, client);
    const response = await user.navigate(createAuthorizePath(client.clientId, { prompt: "consent" }));
    expect(readRequestId(response)).toMatch(/^oar_/);
  });

  it.each(["login", "login consent"])("prompt=%s requires a sign-in after the request", async (prompt) => {
    const client = await createClient(stack);
    await authorizeClient(user, client);
    const requestId = readRequestId(await user.navigate(createAuthorizePath(client.clientId, { prompt })));
    const READ =
      "query ($id: ID!) { authorizationRequest(id: $id) { needsSignIn needsConsent previous { grantId } ownLimits { day { limitUsd } } } }";
    const read = async (browser: Browser) =>
      (await browser.graphql(READ, { id: requestId })).json.data.authorizationRequest;
    expect(await read(user)).toEqual({ needsSignIn: true, needsConsent: true, previous: null, ownLimits: null });
    expect(await decideAuthorization(user, requestId)).toMatchObject({ code: "FORBIDDEN" });
    const fresh = await openSignedInBrowser(stack, account.accountId);
    expect(await read(fresh)).toMatchObject({ needsSignIn: false, needsConsent: prompt === "login consent" });
    expect(await decideAuthorization(fresh, requestId)).toMatchObject({ __typename: "DecideAuthorizationSuccess" });
  });

  it("login_hint is returned as text and does not sign in", async () => {
    const loginHint = '"><script>alert(1)</script>';
    const response = await anonymous.navigate(createAuthorizePath(confidential.clientId, { login_hint: loginHint }));
    const { json } = await anonymous.graphql(
      "query ($id: ID!) { authorizationRequest(id: $id) { loginHint needsSignIn networks client { appName redirectHost isOwn } scopes { name } } }",
      { id: readRequestId(response) },
    );
    expect(json.data.authorizationRequest).toEqual({
      loginHint,
      needsSignIn: true,
      networks: [],
      client: { appName: "Ledger & <Sons>", redirectHost: "app.example", isOwn: true },
      scopes: [{ name: "PAYMENTS_SIGN" }, { name: "BALANCE_READ" }],
    });
  });
});

describe("a browser", () => {
  it("can post the parameters as a form", async () => {
    const [, query] = createAuthorizePath(confidential.clientId).split("?");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await anonymous.navigate("/oauth/authorize", { method: "POST", headers, body: query ?? "" });
    expect(readRequestId(response)).toMatch(/^oar_/);
  });

  it("is redirected from the loopback address to the host name of its cookies", async () => {
    const path = createAuthorizePath(confidential.clientId);
    const response = await fetch(stack.baseUrl + path, { redirect: "manual" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(stack.service.deps.site.browserUrl() + path);
  });

  it("is not signed in by an API token", async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    const response = await anonymous.navigate(createAuthorizePath(confidential.clientId, { prompt: "none" }), {
      headers,
    });
    expect(redirectParameters(response)["error"]).toBe("login_required");
  });

  it("receives an error page when it is rate limited", async () => {
    const responses = await Promise.all(
      Array.from({ length: 310 }, () => fetch(stack.service.deps.site.browserUrl() + createAuthorizePath("cl_x"))),
    );
    const limited = responses.find(({ status }) => status === 429);
    expect(limited?.headers.get("content-type")).toContain("text/html");
    expect(Number(limited?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
