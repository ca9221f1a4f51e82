/** Accounts, clients and browsers of the OAuth tests, all over HTTP. */
import { createHash, randomBytes } from "node:crypto";
import { hashToken, mintToken } from "../../src/accounts/secret-token.ts";
import { beginSession } from "../../src/accounts/sessions.ts";
import type { ClientKind, ClientStatus } from "../../src/oauth/clients/find-client.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Stack, TestResponse } from "./stack.ts";

export const CALLBACK = "https://app.example/callback";

export interface TestClient {
  readonly clientId: string;
  readonly secret: string;
}

/** Creates a client in the state after registration and review. */
export async function createClient(
  { service }: Stack,
  options: {
    kind?: ClientKind;
    status?: ClientStatus;
    redirectUris?: string[];
    accountId?: string | null;
    /** Default: false, as for applications with the waiver. */
    strictScopes?: boolean;
    /** Default: false, as for applications that were registered before 2026-11-27. */
    waiverOnRoutesOnly?: boolean;
    accessTokenSeconds?: number;
    requireSecretOnRefresh?: boolean;
    deviceGrant?: boolean;
  } = {},
): Promise<TestClient> {
  const clientId = newId("cl");
  const secret = mintToken("satchel_cs_");
  await service.deps.db.prisma.oAuthClient.create({
    data: {
      id: clientId,
      accountId: options.accountId ?? null,
      status: options.status ?? "approved",
      kind: options.kind ?? "confidential",
      responsibleName: "Ada",
      responsiblePhone: "+351 21 000 000",
      responsibleCountry: "PT",
      responsibleAddress: "Rua Augusta 1, Lisboa",
      appName: "Ledger & <Sons>",
      supportEmail: "help@app.example",
      contactEmails: [],
      javascriptOrigins: [],
      redirectUris: options.redirectUris ?? [CALLBACK],
      termsAcceptedAt: new Date(),
      secretHash: hashToken(secret),
      strictScopes: options.strictScopes ?? false,
      waiverOnRoutesOnly: options.waiverOnRoutesOnly ?? false,
      accessTokenSeconds: options.accessTokenSeconds ?? null,
      requireSecretOnRefresh: options.requireSecretOnRefresh ?? false,
      deviceGrant: options.deviceGrant ?? false,
    },
  });
  return { clientId, secret };
}

/** Browser with or without a session. */
export interface Browser {
  readonly cookie: string | null;
  /** Requests a path like a link or redirect on another site, without following redirects. */
  navigate(path: string, init?: RequestInit): Promise<Response>;
  /** Sends an operation like the service's own pages. */
  graphql(query: string, variables?: object, headers?: Record<string, string>): Promise<TestResponse>;
}

export async function openSignedInBrowser(stack: Stack, accountId: string): Promise<Browser> {
  const { db, pubsub } = stack.service.deps;
  const proof = { accountId, method: "email_code" } as const;
  return createBrowser(stack, await beginSession({ db, pubsub }, proof, { ip: null, userAgent: "test" }));
}

export function createBrowser(stack: Stack, secret: string | null): Browser {
  const site = stack.service.deps.site.browserUrl();
  const cookie = secret === null ? null : `satchel_session=${secret}`;
  const withCookie = (headers: Record<string, string> = {}) => ({ ...headers, ...(cookie ? { cookie } : {}) });
  return {
    cookie,
    navigate: (path, init = {}) =>
      fetch(path.startsWith("http") ? path : site + path, {
        redirect: "manual",
        ...init,
        headers: withCookie({ "sec-fetch-site": "cross-site", ...(init.headers as Record<string, string>) }),
      }),
    async graphql(query, variables = {}, headers = {}) {
      const response = await fetch(`${site}/graphql`, {
        method: "POST",
        headers: withCookie({ "content-type": "application/json", origin: site, ...headers }),
        body: JSON.stringify({ query, variables }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
    },
  };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Returns `/oauth/authorize` with its usual parameters; null omits a parameter. */
export function createAuthorizePath(clientId: string, parameters: Record<string, string | null> = {}): string {
  const all = {
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: "code",
    state: "st-1",
    ...parameters,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
}

export function createChallengeParameters({ challenge }: Pkce): Record<string, string> {
  return { code_challenge: challenge, code_challenge_method: "S256" };
}

const DECIDE = `mutation ($input: DecideAuthorizationInput!) { decideAuthorization(input: $input) { __typename
  ... on DecideAuthorizationSuccess { continueUrl } ... on Error { code message }
  ... on LimitExceedsOwnError { field } ... on InvalidRequestError { field } } }`;

/** Returns the result of `decideAuthorization`. */
export async function decideAuthorization(browser: Browser, requestId: string, input: object = {}) {
  const { json } = await browser.graphql(DECIDE, { input: { requestId, approve: true, ...input } });
  return json.data.decideAuthorization;
}

export function readRequestId(response: Response): string {
  const location = new URL(response.headers.get("location") ?? "");
  if (location.pathname !== "/consent")
    throw new Error(`The redirect went to ${location.href} instead of the consent page.`);
  return location.searchParams.get("request") ?? "";
}

/** Completes the authorization with an approval by the user. Returns the parameters of the redirect. */
export async function authorizeClient(
  browser: Browser,
  client: TestClient,
  parameters: Record<string, string | null> = {},
  decision: object = {},
): Promise<URLSearchParams> {
  const consent = await browser.navigate(createAuthorizePath(client.clientId, { prompt: "consent", ...parameters }));
  const { continueUrl } = await decideAuthorization(browser, readRequestId(consent), decision);
  const redirect = await browser.navigate(continueUrl);
  return new URL(redirect.headers.get("location") ?? "").searchParams;
}

/** Sends a `POST` with a form (default) or JSON. */
export async function postOAuth(
  { baseUrl }: Stack,
  path: string,
  parameters: Record<string, unknown>,
  options: { as?: "form" | "json"; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  const isJson = options.as === "json";
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: {
      "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
      ...options.headers,
    },
    body: isJson ? JSON.stringify(parameters) : String(new URLSearchParams(parameters as Record<string, string>)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text) };
}

/** Authorizes the client and exchanges the code for tokens. */
export async function obtainTokens(
  stack: Stack,
  browser: Browser,
  client: TestClient,
  options: { parameters?: Record<string, string | null>; decision?: object } = {},
) {
  const redirect = await authorizeClient(browser, client, options.parameters, options.decision);
  const exchanged = await exchangeCode(stack, client, redirect.get("code") ?? "");
  if (exchanged.status !== 200) throw new Error(`No tokens: ${exchanged.text}`);
  return exchanged.json as { access_token: string; refresh_token: string; expires_in: number; scope: string };
}

export function exchangeCode(stack: Stack, client: TestClient, code: string, more: Record<string, unknown> = {}) {
  return postOAuth(stack, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: CALLBACK,
    client_id: client.clientId,
    client_secret: client.secret,
    ...more,
  });
}

export function refreshTokens(
  stack: Stack,
  client: TestClient,
  refreshToken: string,
  more: Record<string, unknown> = {},
) {
  return postOAuth(stack, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: client.clientId,
    ...more,
  });
}
