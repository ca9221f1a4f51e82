/** Dynamic registration (RFC 7591) by a standard client. */
import * as oauth from "oauth4webapi";
import { beforeAll, expect, it } from "vitest";
import {
  type Browser,
  createAuthorizePath,
  createChallengeParameters,
  createPkce,
  openSignedInBrowser,
  readRequestId,
} from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

let stack: Stack;
let user: Browser;
const insecure = { [oauth.allowInsecureRequests]: true };

beforeAll(async () => {
  stack = await sharedStack();
  user = await openSignedInBrowser(stack, (await stack.account()).accountId);
});

const register = (body: unknown) => stack.rest(null, "POST", "/oauth/register", body);

it("registers a public client, restricted until a review", async () => {
  const issuer = new URL(stack.baseUrl);
  const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const metadata = {
    client_name: "Editor",
    redirect_uris: ["http://127.0.0.1:33418", "https://vscode.dev/redirect"],
    token_endpoint_auth_method: "client_secret_post",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
  const client = await oauth.processDynamicClientRegistrationResponse(response);
  expect(client).toMatchObject({ ...metadata, token_endpoint_auth_method: "none", client_id: expect.any(String) });
  expect(client).not.toHaveProperty("client_secret");

  const authorize = (redirectUri: string, more: Record<string, string> = {}) => {
    const challenge = createChallengeParameters(createPkce());
    return user.navigate(createAuthorizePath(client.client_id, { redirect_uri: redirectUri, ...challenge, ...more }));
  };
  // The port of a loopback URI varies.
  const id = readRequestId(await authorize("http://127.0.0.1:33419", { scope: "balance:read trade:execute" }));
  const query = `query ($id: ID!) { authorizationRequest(id: $id) { isRestricted scopes { name }
    client { appName isOwn isSelfRegistered documentHost redirectHost } } }`;
  expect((await user.graphql(query, { id })).json.data.authorizationRequest).toEqual({
    isRestricted: true,
    scopes: [{ name: "BALANCE_READ" }],
    client: {
      ...{ appName: "Editor", isOwn: false, isSelfRegistered: true, documentHost: null },
      redirectHost: "127.0.0.1:33419",
    },
  });
  expect((await authorize("https://vscode.dev/redirect/")).status).toBe(400);
});

it.each([
  ["a site of its own", { redirect_uris: ["https://app.example/callback"] }, "invalid_redirect_uri"],
  [
    "one good and one bad URI",
    { redirect_uris: ["http://localhost/cb", "https://evil.example/"] },
    "invalid_redirect_uri",
  ],
  [
    "a host that only begins like a known one",
    { redirect_uris: ["https://claude.ai.evil/api/mcp/auth_callback"] },
    "invalid_redirect_uri",
  ],
  [
    "a path below a known one",
    { redirect_uris: ["https://chatgpt.com/connector/oauth/a/../b"] },
    "invalid_redirect_uri",
  ],
  ["a private-use scheme", { redirect_uris: ["com.example.app:/callback"] }, "invalid_redirect_uri"],
  ["a host like loopback", { redirect_uris: ["http://localhost.evil/cb"] }, "invalid_redirect_uri"],
  ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
  ["no list", {}, "invalid_redirect_uri"],
  ["an invisible name", { redirect_uris: ["http://localhost/cb"], client_name: "a\u202eb" }, "invalid_client_metadata"],
  ["another grant", { redirect_uris: ["http://localhost/cb"], grant_types: ["password"] }, "invalid_client_metadata"],
  ["a list", [], "invalid_client_metadata"],
])("refuses %s", async (_name, body, error) => {
  const { status, json } = await register(body);
  expect([status, json.error]).toEqual([400, error]);
});
