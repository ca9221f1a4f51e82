/** Native applications (RFC 8252): loopback redirect URIs with any port, private-use schemes, and no silent code. */
import { beforeAll, describe, expect, it } from "vitest";
import { COMMAND_LINE_CLIENT_ID } from "../../src/oauth/command-line-client.ts";
import {
  type Browser,
  createAuthorizePath,
  createChallengeParameters,
  createClient,
  createPkce,
  decideAuthorization,
  exchangeCode,
  openSignedInBrowser,
  readRequestId,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let user: Browser;
let app: TestClient;
const SCHEME = "com.example.ledger:/callback";

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
  app = await createClient(stack, { kind: "native", redirectUris: ["http://127.0.0.1/callback", SCHEME] });
});

const pkce = createPkce();
const authorize = (redirectUri: string, more: Record<string, string | null> = {}, clientId = app.clientId) =>
  user.navigate(
    createAuthorizePath(clientId, { redirect_uri: redirectUri, ...createChallengeParameters(pkce), ...more }),
  );
const locationOf = (response: Response) => response.headers.get("location") ?? "";

async function readNeeds(response: Response) {
  const query = "query ($id: ID!) { authorizationRequest(id: $id) { requestId needsConsent needsConfirmation } }";
  const { json } = await user.graphql(query, { id: readRequestId(response) });
  return json.data.authorizationRequest as { requestId: string; needsConsent: boolean; needsConfirmation: boolean };
}

async function decide(response: Response): Promise<string> {
  const { continueUrl } = await decideAuthorization(user, readRequestId(response));
  return locationOf(await user.navigate(continueUrl));
}

describe("a native application", () => {
  it.each(["http://127.0.0.1:49152/callback", SCHEME])("gets no code at %s without an action", async (redirectUri) => {
    expect(await readNeeds(await authorize(redirectUri, { prompt: "consent" }))).toMatchObject({ needsConsent: true });
    const code = new URL(await decide(await authorize(redirectUri, { prompt: "consent" }))).searchParams.get("code");
    const exchange = { redirect_uri: redirectUri, code_verifier: pkce.verifier };
    expect((await exchangeCode(stack, app, code ?? "", exchange)).status).toBe(200);

    const silent = new URL(locationOf(await authorize(redirectUri, { prompt: "none" })));
    expect(silent.searchParams.get("error")).toBe("consent_required");
    const again = await authorize(redirectUri);
    expect(await readNeeds(again)).toMatchObject({ needsConsent: false, needsConfirmation: true });
    expect(await decide(again)).toMatch(/^(?:http:\/\/127\.0\.0\.1:49152|com\.example\.ledger:)\/callback\?code=/);
  });

  it("exchanges codes while their redirect URI is registered, with any port", async () => {
    const loopback = "http://127.0.0.1/callback";
    const own = await createClient(stack, { kind: "native", accountId: account.accountId, redirectUris: [loopback] });
    const update = `mutation ($input: UpdateOAuthClientInput!) { updateOAuthClient(input: $input) { __typename
      ... on Error { message } } }`;
    const redirectUri = "http://127.0.0.1:50001/callback";
    for (const [redirectUris, status] of [[[loopback, SCHEME], 200] as const, [[SCHEME], 400] as const]) {
      const code = new URL(await decide(await authorize(redirectUri, {}, own.clientId))).searchParams.get("code") ?? "";
      const { json } = await user.graphql(update, { input: { id: own.clientId, oauth: { redirectUris } } });
      expect(json.data.updateOAuthClient).toEqual({ __typename: "UpdateOAuthClientSuccess" });
      const exchange = { redirect_uri: redirectUri, code_verifier: pkce.verifier };
      expect((await exchangeCode(stack, own, code, exchange)).status).toBe(status);
    }
  });

  it("must use PKCE, and the port of its request in the exchange", async () => {
    const plain = await authorize("http://127.0.0.1:1/callback", { code_challenge: null, code_challenge_method: null });
    expect(locationOf(plain)).toContain("error=invalid_request");
    const code = new URL(await decide(await authorize("http://127.0.0.1:2/callback"))).searchParams.get("code");
    const exchange = { redirect_uri: "http://127.0.0.1:3/callback", code_verifier: pkce.verifier };
    expect((await exchangeCode(stack, app, code ?? "", exchange)).json.error).toBe("invalid_grant");
  });

  it.each([
    "http://localhost:1/callback",
    "http://127.1:1/callback",
    "http://127.0.0.1:1/callback/",
    "https://127.0.0.1:1/callback",
    "com.example.ledger:/other",
  ])("gets an error page for %s", async (redirectUri) => expect((await authorize(redirectUri)).status).toBe(400));
});

it("gives other clients no freedom of port", async () => {
  const web = await createClient(stack, { kind: "public", redirectUris: ["http://127.0.0.1:3000/callback"] });
  expect((await authorize("http://127.0.0.1:3001/callback", {}, web.clientId)).status).toBe(400);
  expect(readRequestId(await authorize("http://127.0.0.1:3000/callback", {}, web.clientId))).toMatch(/^oar_/);
  expect((await authorize("http://[::1]:3000/callback", {}, COMMAND_LINE_CLIENT_ID)).status).toBe(400);
});

const REGISTER = `mutation ($input: RegisterOAuthClientInput!) { registerOAuthClient(input: $input) { __typename
  ... on RegisterOAuthClientSuccess { client { kind redirectUris } } ... on Error { message } } }`;

it.each([
  ["NATIVE", "com.example.app:/callback", null],
  ["NATIVE", "com.example.app://done/callback", null],
  ["NATIVE", "http://[::1]/callback", null],
  ["NATIVE", "myapp:/callback", /must/],
  ["NATIVE", "com.example.app:callback", /must/],
  ["NATIVE", "com.example.app://user@done/callback", /must/],
  ["NATIVE", "com.example.app:/callback#x", /fragment|RFC 3986/],
  ["NATIVE", "javascript:alert(1)", /must/],
  ["PUBLIC", "com.example.app:/callback", /must/],
])("registers for %s the redirect URI %s: problem %s", async (kind, redirectUri, problem) => {
  const input = {
    kind,
    responsible: { fullName: "Ada", phone: "+351 210 000 000", country: "PT", address: "Rua Augusta 1" },
    app: { appName: "Ledger", supportEmail: "help@app.example" },
    oauth: { redirectUris: [redirectUri], acceptTerms: true },
  };
  const result = (await user.graphql(REGISTER, { input })).json.data.registerOAuthClient;
  if (problem === null) expect(result).toMatchObject({ client: { kind, redirectUris: [redirectUri] } });
  else expect(result.message).toMatch(problem);
});
