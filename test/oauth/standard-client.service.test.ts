/** The complete flow with a standard client, oauth4webapi. Its only special setting allows http on loopback. */
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  CALLBACK,
  createAuthorizePath,
  createClient,
  decideAuthorization,
  openSignedInBrowser,
  readRequestId,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

/** The service under test is on plain http. */
const insecure = { [oauth.allowInsecureRequests]: true };

let stack: Stack;
let account: TestAccount;
let browser: Browser;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  browser = await openSignedInBrowser(stack, account.accountId);
});

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(stack.baseUrl);
  return await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
  );
}

/** Opens the authorization endpoint, consents if required, and returns the redirect URI with its parameters. */
async function authorizeInBrowser(url: URL): Promise<URL> {
  let response = await browser.navigate(url.href);
  // A request to the loopback address is redirected to the host name of the cookies.
  if (response.headers.get("location")?.includes("/oauth/authorize")) {
    response = await browser.navigate(response.headers.get("location") ?? "");
  }
  if (response.headers.get("location")?.startsWith(CALLBACK)) return new URL(response.headers.get("location") ?? "");
  const { continueUrl } = await decideAuthorization(browser, readRequestId(response));
  return new URL((await browser.navigate(continueUrl)).headers.get("location") ?? "");
}

const CLIENTS = {
  "confidential, secret in the body": ["confidential", ({ secret }: TestClient) => oauth.ClientSecretPost(secret)],
  "confidential, HTTP Basic": ["confidential", ({ secret }: TestClient) => oauth.ClientSecretBasic(secret)],
  public: ["public", () => oauth.None()],
} as const;

describe.each(Object.entries(CLIENTS))("%s", (_name, [kind, authentication]) => {
  it("discovers, authorizes with PKCE, reads userinfo, refreshes, introspects and revokes", async () => {
    const registered = await createClient(stack, { kind });
    const as = await discover();
    const client: oauth.Client = { client_id: registered.clientId };
    const auth = authentication(registered);

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(as.authorization_endpoint ?? "");
    url.search = createAuthorizePath(registered.clientId, {
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).split("?")[1] as string;
    const parameters = oauth.validateAuthResponse(as, client, await authorizeInBrowser(url), state);
    const tokenResponse = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      parameters,
      CALLBACK,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, tokenResponse);
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "payments:sign balance:read" });

    const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    const { sub } = await oauth.processUserInfoResponse(as, client, oauth.skipSubjectCheck, info);
    const host = encodeURIComponent(new URL(stack.baseUrl).host);
    expect(sub).toBe(`did:web:${host}:users:${account.accountId}`);

    const refreshToken = tokens.refresh_token ?? "";
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, insecure),
    );
    expect(refreshed.access_token).not.toBe(tokens.access_token);

    const introspected = oauth.introspectionRequest(as, client, auth, refreshed.access_token, insecure);
    if (kind === "public") {
      expect((await introspected).status).toBe(401);
    } else {
      const active = await oauth.processIntrospectionResponse(as, client, await introspected);
      expect(active).toMatchObject({ active: true, client_id: registered.clientId, sub, scope: tokens.scope });
    }

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? "", insecure),
    );
    const rejected = await oauth.userInfoRequest(as, client, refreshed.access_token, insecure);
    expect(rejected.status).toBe(401);
  });
});

it("lists only existing endpoints, and is no OpenID provider", async () => {
  const as = await discover();
  expect((await fetch(`${stack.baseUrl}/.well-known/openid-configuration`)).status).toBe(404);
  expect(as["id_token_signing_alg_values_supported"]).toBeUndefined();
  for (const [name, value] of Object.entries(as).filter(([key]) => key.endsWith("_endpoint") || key === "jwks_uri")) {
    expect((await fetch(String(value), { method: "OPTIONS" })).status, name).not.toBe(500);
    expect((await fetch(String(value), { redirect: "manual" })).status, name).not.toBe(404);
  }
});
