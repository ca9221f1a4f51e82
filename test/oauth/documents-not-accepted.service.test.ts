/** Applications with a client ID metadata document while the setting does not accept them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { authenticate, isStillValid } from "../../src/accounts/authenticate.ts";
import { createAccessTokenKind } from "../../src/oauth/access-token-kind.ts";
import { issueToken } from "../../src/oauth/issue-token.ts";
import { createClient, obtainTokens, openSignedInBrowser, postOAuth } from "../support/oauth.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

let stack: OwnStack;

beforeAll(async () => {
  stack = await startStack({ env: { CLIENT_ID_METADATA_DOCUMENTS: "0" } });
});
afterAll(() => stack.stop());

it("their grants do not work, and work again when the setting accepts them", async () => {
  const { deps } = stack.service;
  const user = await openSignedInBrowser(stack, (await stack.account()).accountId);
  const client = await createClient(stack);
  const tokens = await obtainTokens(stack, user, client);
  const { clientId } = client;
  const read = async () => (await stack.rest(tokens.access_token, "GET", "/api/transactions")).status;
  expect(await read()).toBe(200);
  const accepting = { ...deps, tokenKinds: [createAccessTokenKind(true)] };
  const viewer = await authenticate(accepting, tokens.access_token);
  if (viewer?.kind !== "account") throw new Error("The token was not found.");

  const document = { registration: "document", documentHost: "app.example" };
  await deps.db.prisma.oAuthClient.update({ where: { id: clientId }, data: document });
  expect(await read()).toBe(401);
  const { json } = await stack.graphql(tokens.access_token, "{ viewer { id } }");
  expect(json.errors[0].extensions.code).toBe("unauthorized");
  expect(await isStillValid(deps, viewer)).toBe(false);
  const request = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: clientId };
  const refused = await postOAuth(stack, "/oauth/token", request);
  expect([refused.status, refused.json.error]).toEqual([401, "invalid_client"]);
  expect(refused.json.error_description).toContain("does not accept applications with a client ID metadata document");

  expect(await authenticate(accepting, tokens.access_token)).toMatchObject({ credentialId: viewer.credentialId });
  expect(await isStillValid(accepting, viewer)).toBe(true);
  const absent = { code: null, redirectUri: null, codeVerifier: null, clientSecret: null, deviceCode: null };
  const refreshed = await issueToken(
    { ...deps, clientDocuments: { ...deps.clientDocuments, isEnabled: true } },
    {
      ...{ ...absent, scope: null, resource: null, dpopProof: null },
      ...{ grantType: "refresh_token", refreshToken: tokens.refresh_token, clientId },
    },
  );
  expect(refreshed.accessToken).toMatch(/^satchel_at_/);
});
