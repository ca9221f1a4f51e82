/** Pushed requests (RFC 9126) and tokens bound to a key (RFC 9449), with a standard client. */
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  CALLBACK,
  createClient,
  decideAuthorization,
  openSignedInBrowser,
  postOAuth,
  readRequestId,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

let stack: Stack;
let account: TestAccount;
let browser: Browser;
let as: oauth.AuthorizationServer;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  browser = await openSignedInBrowser(stack, account.accountId);
  const issuer = new URL(stack.baseUrl);
  const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
  as = await oauth.processDiscoveryResponse(issuer, discovered);
});

/** Opens the authorization endpoint, consents if required, and returns the redirect with its parameters. */
async function authorizeInBrowser(parameters: Record<string, string>): Promise<URL> {
  const response = await browser.navigate(`/oauth/authorize?${new URLSearchParams(parameters)}`);
  const location = response.headers.get("location") ?? "";
  if (location.startsWith(CALLBACK)) return new URL(location);
  const { continueUrl } = await decideAuthorization(browser, readRequestId(response));
  return new URL((await browser.navigate(continueUrl)).headers.get("location") ?? "");
}

/** A public client with a key that pushes its requests. */
async function createApp(kind: "public" | "confidential" = "public") {
  const registered = await createClient(stack, { kind });
  const client: oauth.Client = { client_id: registered.clientId };
  const authentication = kind === "public" ? oauth.None() : oauth.ClientSecretBasic(registered.secret);
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = new URLSearchParams({
    client_id: registered.clientId,
    redirect_uri: CALLBACK,
    response_type: "code",
    state: "st-1",
    resource: `${stack.baseUrl}/graphql`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const newKey = async () => oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
  return { registered, client, authentication, verifier, parameters, newKey };
}

/** Authorizes with a pushed request and exchanges the code with a new key. */
async function obtainBoundTokens(kind: "public" | "confidential" = "public") {
  const app = await createApp(kind);
  const { client, authentication, parameters, verifier } = app;
  const DPoP = await app.newKey();
  const options = { ...insecure, DPoP };
  const pushed = await oauth.processPushedAuthorizationResponse(
    as,
    client,
    await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, options),
  );
  const redirect = await authorizeInBrowser({ client_id: client.client_id, request_uri: pushed.request_uri });
  const response = oauth.validateAuthResponse(as, client, redirect, "st-1");
  const exchange = (key: oauth.DPoPHandle) =>
    oauth.authorizationCodeGrantRequest(as, client, authentication, response, CALLBACK, verifier, {
      ...insecure,
      DPoP: key,
    });
  return { ...app, DPoP, pushed, exchange };
}

const refresh = (app: Awaited<ReturnType<typeof obtainBoundTokens>>, token: string, key?: oauth.DPoPHandle) =>
  oauth.refreshTokenGrantRequest(as, app.client, app.authentication, token, {
    ...insecure,
    ...(key ? { DPoP: key } : {}),
  });

const query = (
  token: string,
  headers: Record<string, string>,
  document = "{ viewer { sub } }",
  accept = "application/json",
) =>
  fetch(`${stack.baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `DPoP ${token}`, "content-type": "application/json", accept, ...headers },
    body: JSON.stringify({ query: document }),
  });

/** Creates a proof for a request without sending it. */
async function createProof(key: oauth.DPoPHandle, token: string, method: string, path: string): Promise<string> {
  let proof = "";
  const capture = async (_url: string, { headers }: { headers: Record<string, string> }) => {
    proof = new Headers(headers).get("dpop") ?? "";
    return new Response("{}");
  };
  await oauth.protectedResourceRequest(token, method, new URL(path, stack.baseUrl), undefined, null, {
    ...insecure,
    DPoP: key,
    [oauth.customFetch]: capture as never,
  });
  return proof;
}

describe("tokens bound to a key", () => {
  it("completes the flow of a standard client, and refuses every other use", async () => {
    const app = await obtainBoundTokens();
    const { client, DPoP, authentication } = app;
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, await app.exchange(DPoP));
    expect(tokens.token_type).toBe("dpop");
    const { access_token: token } = tokens;
    const read = await oauth.protectedResourceRequest(
      token,
      "POST",
      new URL("/graphql", stack.baseUrl),
      new Headers({ "content-type": "application/json" }),
      JSON.stringify({ query: "{ viewer { sub } }" }),
      { ...insecure, DPoP },
    );
    expect(await read.text()).toContain(account.accountId);

    const proof = () => createProof(DPoP, token, "POST", "/graphql");
    const used = await proof();
    expect((await query(token, { dpop: used })).status).toBe(200);
    const otherKey = await app.newKey();
    const refusals = {
      "as Bearer": await query(token, { authorization: `Bearer ${token}`, dpop: await proof() }),
      "in another header": await query(token, { authorization: "", "x-service-token": token, dpop: await proof() }),
      "without a proof": await query(token, {}),
      "with a used proof": await query(token, { dpop: used }),
      "with two proofs": await query(token, { dpop: `${await proof()}, ${await proof()}` }),
      "with a proof of another key": await query(token, {
        dpop: await createProof(otherKey, token, "POST", "/graphql"),
      }),
      "with a proof of another method": await query(token, { dpop: await createProof(DPoP, token, "GET", "/graphql") }),
      "with a proof of another URL": await query(token, { dpop: await createProof(DPoP, token, "POST", "/api/trade") }),
      "with a proof of another token": await query(token, {
        dpop: await createProof(DPoP, `${token}x`, "POST", "/graphql"),
      }),
      "an API token": await query(account.token, { dpop: await createProof(DPoP, account.token, "POST", "/graphql") }),
    };
    for (const [name, { status, headers }] of Object.entries(refusals)) {
      expect(status, name).toBe(401);
      expect(headers.get("www-authenticate"), name).toMatch(/^DPoP .*error="invalid_(token|dpop_proof)".*algs="ES256 /);
    }

    const userInfo = await fetch(`${stack.baseUrl}/oauth/userinfo`, { headers: { authorization: `DPoP ${token}` } });
    expect(userInfo.status).toBe(401);
    expect(await userInfo.json()).toMatchObject({ error: "invalid_token" });
    expect(userInfo.headers.get("www-authenticate")).toMatch(/^DPoP .*error="invalid_dpop_proof"/);

    const batch = await fetch(`${stack.baseUrl}/graphql`, {
      method: "POST",
      headers: { authorization: `DPoP ${token}`, "content-type": "application/json", dpop: await proof() },
      body: JSON.stringify([{ query: "{ viewer { sub } }" }, { query: "{ viewer { sub } }" }]),
    });
    expect((await batch.text()).split(account.accountId)).toHaveLength(3);
    const stream = await query(token, { dpop: await proof() }, "{ viewer { sub } }", "text/event-stream");
    expect(await stream.text()).toContain(account.accountId);

    const refreshToken = tokens.refresh_token ?? "";
    expect((await refresh(app, refreshToken)).status).toBe(400);
    expect((await refresh(app, refreshToken, otherKey)).status).toBe(400);
    const next = await oauth.processRefreshTokenResponse(as, client, await refresh(app, refreshToken, DPoP));
    expect(next.token_type).toBe("dpop");
    expect((await oauth.userInfoRequest(as, client, next.access_token, { ...insecure, DPoP })).status).toBe(200);
    await oauth.revocationRequest(as, client, authentication, next.refresh_token ?? "", insecure);
  });

  it("shows a confidential client the key, and lets its secret change it", async () => {
    const app = await obtainBoundTokens("confidential");
    const { client, authentication, DPoP } = app;
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, await app.exchange(DPoP));
    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, authentication, token, insecure),
      );
    const first = await introspect(tokens.access_token);
    expect(first).toMatchObject({ active: true, token_type: "DPoP", aud: [`${stack.baseUrl}/graphql`] });
    const other = await app.newKey();
    const refreshed = await refresh(app, tokens.refresh_token ?? "", other);
    const next = await oauth.processRefreshTokenResponse(as, client, refreshed);
    const repeated = await refresh(app, tokens.refresh_token ?? "", DPoP);
    expect([repeated.status, await repeated.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_grant" }),
    ]);
    expect((await introspect(next.access_token)).cnf?.jkt).not.toBe(first.cnf?.jkt);
  });

  it("accepts one of many parallel requests with the same proof", async () => {
    const app = await obtainBoundTokens();
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(
      as,
      app.client,
      await app.exchange(app.DPoP),
    );
    const dpop = await createProof(app.DPoP, token, "POST", "/graphql");
    const responses = await Promise.all(Array.from({ length: 10 }, () => query(token, { dpop })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("invalidates a code that another key presents", async () => {
    const app = await obtainBoundTokens();
    const wrong = await app.exchange(await app.newKey());
    expect([wrong.status, await wrong.json()]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })]);
    expect((await app.exchange(app.DPoP)).status).toBe(400);
  });
});

describe("pushed requests", () => {
  const push = (parameters: Record<string, unknown>, as: "form" | "json" = "form") =>
    postOAuth(stack, "/oauth/par", parameters, { as });

  it("uses one request once, and only its own parameters", async () => {
    const { parameters, client } = await createApp();
    const { status, json } = await push(Object.fromEntries(parameters), "json");
    expect([status, json]).toEqual([201, { request_uri: expect.stringMatching(/^urn:ietf:params/), expires_in: 90 }]);
    const own = { client_id: client.client_id, request_uri: json.request_uri };
    const foreign = await browser.navigate(
      `/oauth/authorize?${new URLSearchParams({ ...own, client_id: (await createApp()).client.client_id })}`,
    );
    expect(foreign.status).toBe(400);
    const urls = Array.from({ length: 5 }, () => new URLSearchParams({ ...own, state: "other", prompt: "none" }));
    const used = await Promise.all(urls.map((url) => browser.navigate(`/oauth/authorize?${url}`)));
    expect(used.map((response) => response.status).toSorted()).toEqual([303, 400, 400, 400, 400]);
    // The pushed request has no prompt, so the consent page opens.
    readRequestId(used.find((response) => response.status === 303) as Response);
  });

  it("refuses what the authorization endpoint would refuse", async () => {
    const { parameters } = await createApp();
    const { registered } = await createApp("confidential");
    const given = Object.fromEntries(parameters);
    const errorOf = async (changes: Record<string, string>) => (await push({ ...given, ...changes })).json.error;
    expect(await errorOf({ redirect_uri: "https://evil.example/" })).toBe("invalid_request");
    expect(await errorOf({ response_type: "token" })).toBe("unsupported_response_type");
    expect(await errorOf({ resource: "https://other.example" })).toBe("invalid_target");
    expect(await errorOf({ request_uri: "urn:x" })).toBe("invalid_request");
    expect(await errorOf({ login_hint: "\0" })).toBe("invalid_request");
    const unstorable = new URLSearchParams({ client_id: "\0", request_uri: "urn:ietf:params:oauth:request_uri:x" });
    expect((await browser.navigate(`/oauth/authorize?${unstorable}`)).status).toBe(400);
    expect(await errorOf({ client_id: registered.clientId })).toBe("invalid_client");
    expect(await errorOf({ client_id: registered.clientId, client_secret: "wrong" })).toBe("invalid_client");
  });

  it("is mandatory for a client that requires it", async () => {
    const { parameters, client } = await createApp();
    const { prisma } = stack.service.deps.db;
    await prisma.oAuthClient.update({ where: { id: client.client_id }, data: { requirePushedRequests: true } });
    const redirect = await authorizeInBrowser(Object.fromEntries(parameters));
    expect(redirect.searchParams.get("error")).toBe("invalid_request");
    expect(redirect.searchParams.get("iss")).toBe(stack.baseUrl);
  });
});
