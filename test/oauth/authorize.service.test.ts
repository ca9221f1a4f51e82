/** `/oauth/authorize`: who is answered, where, and with what. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authorizeByHand,
  authorizePath,
  type Browser,
  browserOf,
  CALLBACK,
  challengeParameters,
  createClient,
  decide,
  newPkce,
  requestIdOf,
  signedIn,
  type TestClient,
} from "../support/oauth.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

let stack: OwnStack;
let account: TestAccount;
let person: Browser;
let nobody: Browser;
let confidential: TestClient;
let spa: TestClient;

beforeAll(async () => {
  stack = await startStack();
  account = await stack.account();
  person = await signedIn(stack, account.accountId);
  nobody = browserOf(stack, null);
  confidential = await createClient(stack);
  spa = await createClient(stack, { kind: "public" });
});
afterAll(() => stack?.stop());

/** The parameters a redirect to the application carries. */
function answerOf(response: Response, redirectUri = CALLBACK): Record<string, string> {
  const location = response.headers.get("location") ?? "";
  expect(response.status).toBe(303);
  expect(location.startsWith(redirectUri), location).toBe(true);
  return Object.fromEntries(new URL(location).searchParams);
}

async function expectPage(response: Response): Promise<string> {
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

describe("an application that cannot be trusted with an answer gets a page, never a redirect", () => {
  it.each([
    ["an unknown client", { client_id: "cl_unknown" }],
    ["no client", { client_id: null }],
    ["a client id that is no text", { client_id: "cl_\0" }],
    ["no redirect URI", { redirect_uri: null }],
    ["another case", { redirect_uri: "https://app.example/Callback" }],
    ["another host's case", { redirect_uri: "https://APP.example/callback" }],
    ["a slash at the end", { redirect_uri: `${CALLBACK}/` }],
    ["a query", { redirect_uri: `${CALLBACK}?x=1` }],
    ["an empty query", { redirect_uri: `${CALLBACK}?` }],
    ["a fragment", { redirect_uri: `${CALLBACK}#x` }],
    ["encoded dots", { redirect_uri: "https://app.example/x/%2e%2e/callback" }],
    ["dots", { redirect_uri: "https://app.example/x/../callback" }],
    ["userinfo", { redirect_uri: "https://user@app.example/callback" }],
    ["a port", { redirect_uri: "https://app.example:443/callback" }],
    ["http", { redirect_uri: "http://app.example/callback" }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
    ["loopback, which is not this client's", { redirect_uri: "http://localhost:8080/callback" }],
  ])("%s", async (_name, parameters) => {
    await expectPage(await person.navigate(authorizePath(confidential.clientId, parameters)));
  });

  it.each(["client_id", "redirect_uri"])("says that %s is missing, where it is", async (name) => {
    const path = authorizePath(confidential.clientId, { [name]: null });
    expect(await expectPage(await person.navigate(path))).toContain(`${name} is missing.`);
  });

  it.each(["pending_approval", "rejected", "revoked"] as const)("a client that is %s", async (status) => {
    const client = await createClient(stack, { status });
    await expectPage(await person.navigate(authorizePath(client.clientId)));
  });

  it("a client or redirect URI given twice", async () => {
    await expectPage(await person.navigate(`${authorizePath(confidential.clientId)}&client_id=x`));
    await expectPage(await person.navigate(`${authorizePath(confidential.clientId)}&redirect_uri=${CALLBACK}`));
  });

  it("what was sent never stands in the page", async () => {
    const text = await expectPage(
      await person.navigate(authorizePath("<script>alert(1)</script>", { login_hint: "<img src=x>" })),
    );
    expect(text).not.toMatch(/<script|<img|alert/);
  });

  it("percent-encoding that is no UTF-8", async () => {
    await expectPage(await person.navigate(`${authorizePath(confidential.clientId)}&scope=%ff`));
  });
});

describe("the command line client", () => {
  it("goes unasked to where the person sent a code before, and to no other port", async () => {
    const browser = await signedIn(stack, (await stack.account()).accountId);
    const at = (redirectUri: string, more: Record<string, string> = {}) => {
      const parameters = { redirect_uri: redirectUri, ...challengeParameters(newPkce()), ...more };
      return browser.navigate(authorizePath("service_cli", parameters));
    };
    const own = "http://localhost:5001/callback";
    const { continueUrl } = await decide(browser, requestIdOf(await at(own)));
    expect(answerOf(await browser.navigate(continueUrl), own)["code"]).toBeDefined();
    expect(answerOf(await at(own), own)["code"]).toBeDefined();

    const other = "http://localhost:5002/callback";
    expect(answerOf(await at(other, { prompt: "none" }), other)["error"]).toBe("consent_required");
    const requestId = requestIdOf(await at(other));
    const query = "query ($id: ID!) { authorizationRequest(id: $id) { needsConsent } }";
    const { json } = await browser.graphql(query, { id: requestId });
    expect(json.data.authorizationRequest.needsConsent).toBe(true);
  });

  const ask = (redirectUri: string, more: Record<string, string | null> = challengeParameters(newPkce())) =>
    nobody.navigate(authorizePath("service_cli", { redirect_uri: redirectUri, ...more }));

  it.each(["http://localhost:1/callback", "http://localhost:65535/callback", "http://127.0.0.1:49152/callback"])(
    "may be answered at %s",
    async (redirectUri) => expect(requestIdOf(await ask(redirectUri))).toMatch(/^oar_/),
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
  ])("is not answered at %s", async (redirectUri) => void (await expectPage(await ask(redirectUri))));

  it("must use PKCE", async () => {
    const answer = answerOf(await ask("http://localhost:8080/callback", {}), "http://localhost:8080/callback");
    expect(answer).toMatchObject({ error: "invalid_request", state: "st-1", iss: stack.baseUrl });
  });
});

describe("what is told to the application", () => {
  it.each<[string, Record<string, string | null>, string]>([
    ["no response type", { response_type: null }, "invalid_request"],
    ["token", { response_type: "token" }, "unsupported_response_type"],
    ["code and token", { response_type: "code token" }, "unsupported_response_type"],
    ["another response mode", { response_mode: "fragment" }, "invalid_request"],
    ["a request object", { request: "eyJ" }, "request_not_supported"],
    ["a request URI", { request_uri: "https://app.example/r" }, "request_uri_not_supported"],
    ["an unknown scope", { scope: "payments:sign everything" }, "invalid_scope"],
    ["the account's own scope", { scope: "account:manage" }, "invalid_scope"],
    ["openid, of which there are no ID tokens", { scope: "openid" }, "invalid_scope"],
    ["a challenge without method", { code_challenge: newPkce().challenge }, "invalid_request"],
    ["plain", { code_challenge: newPkce().challenge, code_challenge_method: "plain" }, "invalid_request"],
    ["a method without challenge", { code_challenge_method: "S256" }, "invalid_request"],
    ["a short challenge", { code_challenge: "abc", code_challenge_method: "S256" }, "invalid_request"],
    [
      "a padded challenge",
      { code_challenge: `${newPkce().challenge}=`, code_challenge_method: "S256" },
      "invalid_request",
    ],
    ["an unknown prompt", { prompt: "select_account" }, "invalid_request"],
    ["none and login", { prompt: "none login" }, "invalid_request"],
    ["none and consent", { prompt: "consent none" }, "invalid_request"],
  ])("%s", async (_name, parameters, error) => {
    const answer = answerOf(await person.navigate(authorizePath(confidential.clientId, parameters)));
    expect(answer).toMatchObject({ error, state: "st-1", iss: stack.baseUrl });
    // RFC 6749 section 4.1.2.1.
    expect(answer["error_description"]).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(answer["code"]).toBeUndefined();
  });

  it("a public client without a challenge", async () => {
    const answer = answerOf(await person.navigate(authorizePath(spa.clientId)));
    expect(answer).toMatchObject({ error: "invalid_request", state: "st-1" });
  });

  it.each([
    ["missing", null],
    ["empty", ""],
  ])("a state that is %s", async (_name, state) => {
    const answer = answerOf(await person.navigate(authorizePath(confidential.clientId, { state })));
    expect(answer).toMatchObject({ error: "invalid_request", iss: stack.baseUrl });
    expect(answer["state"]).toBeUndefined();
  });

  it("a state given twice, of which neither comes back", async () => {
    const answer = answerOf(await person.navigate(`${authorizePath(confidential.clientId)}&state=other`));
    expect(answer["error"]).toBe("invalid_request");
    expect(answer["state"]).toBeUndefined();
  });

  it("any other parameter given twice", async () => {
    const answer = answerOf(await person.navigate(`${authorizePath(confidential.clientId)}&scope=a&scope=b`));
    expect(answer).toMatchObject({ error: "invalid_request", state: "st-1" });
  });
});

describe("state", () => {
  it.each(["a b+c&d=e%26", "ö ✓ 🧳", "x".repeat(2_000), '{"a":[1]}', "'\"><b>", "\r\nSet-Cookie: x=1", "%00", " "])(
    "%j comes back byte for byte",
    async (state) => {
      const url = authorizePath(confidential.clientId, { state, prompt: "none" });
      const location = (await nobody.navigate(url)).headers.get("location") ?? "";
      const [, written] = /[?&]state=([^&]*)/.exec(location) ?? [];
      expect(decodeURIComponent(written ?? "")).toBe(state);
      const answer = await authorizeByHand(person, confidential, { state });
      expect(answer.get("state")).toBe(state);
      expect(answer.get("iss")).toBe(stack.baseUrl);
    },
  );

  it("a redirect URI's own query stays, and comes first", async () => {
    const redirectUri = "https://app.example/cb?tenant=a%2Fb";
    const client = await createClient(stack, { redirectUris: [redirectUri] });
    const location =
      (
        await person.navigate(authorizePath(client.clientId, { redirect_uri: redirectUri, prompt: "none" }))
      ).headers.get("location") ?? "";
    expect(location.startsWith(`${redirectUri}&error=`)).toBe(true);
  });
});

describe("prompt", () => {
  const silent = (client: TestClient, browser: Browser, more: Record<string, string> = {}) =>
    browser.navigate(authorizePath(client.clientId, { prompt: "none", ...more }));

  it("none answers without a page: login_required, consent_required, or a code", async () => {
    const client = await createClient(stack);
    expect(answerOf(await silent(client, nobody))["error"]).toBe("login_required");
    expect(answerOf(await silent(client, person))["error"]).toBe("consent_required");
    await authorizeByHand(person, client, { scope: "balance:read" });
    expect(answerOf(await silent(client, person, { scope: "balance:read" }))["code"]).toBeDefined();
    // Consent that is not wide enough is none.
    expect(answerOf(await silent(client, person, { scope: "balance:read email:read" }))["error"]).toBe(
      "consent_required",
    );
    const another = await signedIn(stack, (await stack.account()).accountId);
    expect(answerOf(await silent(client, another, { scope: "balance:read" }))["error"]).toBe("consent_required");
  });

  it("left out asks once, and not again for as much", async () => {
    const client = await createClient(stack);
    const ask = (scope: string) => person.navigate(authorizePath(client.clientId, { scope }));
    expect((await decide(person, requestIdOf(await ask("balance:read email:read")))).continueUrl).toBeDefined();
    expect(answerOf(await ask("email:read"))["code"]).toBeDefined();
    expect(requestIdOf(await ask("payments:sign"))).toMatch(/^oar_/);
  });

  it("consent asks in any case", async () => {
    const client = await createClient(stack);
    await authorizeByHand(person, client);
    const asked = await person.navigate(authorizePath(client.clientId, { prompt: "consent" }));
    expect(requestIdOf(asked)).toMatch(/^oar_/);
  });

  it.each(["login", "login consent"])("%s counts only a proof that came after the request", async (prompt) => {
    const client = await createClient(stack);
    await authorizeByHand(person, client);
    const requestId = requestIdOf(await person.navigate(authorizePath(client.clientId, { prompt })));
    const READ =
      "query ($id: ID!) { authorizationRequest(id: $id) { needsSignIn needsConsent previous { grantId } ownLimits { day { limitUsd } } } }";
    const read = async (browser: Browser) =>
      (await browser.graphql(READ, { id: requestId })).json.data.authorizationRequest;
    expect(await read(person)).toEqual({ needsSignIn: true, needsConsent: true, previous: null, ownLimits: null });
    expect(await decide(person, requestId)).toMatchObject({ code: "forbidden" });
    const fresh = await signedIn(stack, account.accountId);
    expect(await read(fresh)).toMatchObject({ needsSignIn: false, needsConsent: prompt === "login consent" });
    expect(await decide(fresh, requestId)).toMatchObject({ __typename: "DecideAuthorizationSuccess" });
  });

  it("login_hint signs nobody in, and is only text", async () => {
    const loginHint = '"><script>alert(1)</script>';
    const asked = await nobody.navigate(authorizePath(confidential.clientId, { login_hint: loginHint }));
    const { json } = await nobody.graphql(
      "query ($id: ID!) { authorizationRequest(id: $id) { loginHint needsSignIn networks client { appName redirectHost isOwn } scopes { name } } }",
      { id: requestIdOf(asked) },
    );
    expect(json.data.authorizationRequest).toEqual({
      loginHint,
      needsSignIn: true,
      networks: [],
      client: { appName: "Ledger & <Sons>", redirectHost: "app.example", isOwn: true },
      scopes: [{ name: "payments:sign" }, { name: "balance:read" }],
    });
  });
});

describe("a browser", () => {
  it("may post the parameters as a form", async () => {
    const [, query] = authorizePath(confidential.clientId).split("?");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const asked = await nobody.navigate("/oauth/authorize", { method: "POST", headers, body: query ?? "" });
    expect(requestIdOf(asked)).toMatch(/^oar_/);
  });

  it("that came by the loopback address is sent to the name its cookies are set for", async () => {
    const path = authorizePath(confidential.clientId);
    const answer = await fetch(stack.baseUrl + path, { redirect: "manual" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(stack.service.deps.site.browserUrl() + path);
  });

  it("is not signed in by an API token: nobody consents with one", async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    const answer = await nobody.navigate(authorizePath(confidential.clientId, { prompt: "none" }), { headers });
    expect(answerOf(answer)["error"]).toBe("login_required");
  });

  it("is told by a page that it asks too often", async () => {
    const answers = await Promise.all(
      Array.from({ length: 310 }, () => fetch(stack.service.deps.site.browserUrl() + authorizePath("cl_x"))),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("content-type")).toContain("text/html");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
