import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken } from "../../src/accounts/secret-token.ts";
import { createClient, obtainTokens, openSignedInBrowser, refreshTokens } from "../support/oauth.ts";
import { ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";

const lines: Record<string, unknown>[] = [];
let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({
    onLog: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    env: { EGRESS_ALLOW_LOOPBACK: "0" },
  });
});
afterAll(() => stack.stop());

const findEvents = (event: string) => lines.filter((line) => line["stream"] === "security" && line["event"] === event);

test("the creation of a token is an event with account, credential and truncated address, but no secret", async () => {
  const { accountId, tokenId, token } = await stack.account();
  const { headers, json } = await stack.graphql(
    token,
    `mutation { createApiToken(input: { name: "created" }) { ... on CreateApiTokenSuccess { secret } } }`,
  );
  const { secret } = json.data.createApiToken;
  expect(secret).toMatch(/^satchel_sk_/);
  const requestId = headers.get("x-request-id");
  const [event] = findEvents("token.created");
  expect(event).toMatchObject({ level: "info", outcome: "success", operation: "createApiToken", requestId });
  expect(event).toMatchObject({
    accountId,
    credentialKind: "api_token",
    credentialId: tokenId,
    address: "127.0.0.0/24",
  });
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("an error in a result union is a failure with its code", async () => {
  const { token } = await stack.account();
  await stack.graphql(token, `mutation { revokeApiToken(input: { id: "tok_unknown" }) { __typename } }`);
  expect(findEvents("token.revoked")[0]).toMatchObject({ level: "warn", outcome: "failure", code: "not_found" });
});

test("a rejected sign-in is a failure without the code that was entered", async () => {
  await stack.graphql(
    null,
    `mutation { completeEmailSignIn(input: { attemptId: "sia_unknown", code: "918273" }) { __typename } }`,
  );
  const [event] = findEvents("sign_in.email_code");
  expect(event).toMatchObject({ outcome: "failure", code: "invalid_code" });
  expect(event).not.toHaveProperty("accountId");
  expect(JSON.stringify(lines)).not.toContain("918273");
});

test("a mutation of the operator is an administrator's act", async () => {
  const { json } = await stack.graphql(
    null,
    `mutation { createAccount(input: { email: "acted@example.test" }) { __typename } }`,
    {},
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  );
  expect(json.data.createAccount.__typename).toBe("CreateAccountSuccess");
  expect(findEvents("administrator.acted")[0]).toMatchObject({
    ...{ outcome: "success", operation: "createAccount", credentialKind: "operator" },
  });
});

test("a wrong worker token and a private target are events", async () => {
  const claim = await stack.rest(null, "POST", "/internal/worker/claim", {}, { authorization: "Bearer wrong" });
  expect(claim.status).toBe(401);
  expect(findEvents("signature.rejected")[0]).toMatchObject({ outcome: "failure", sender: "checkout_worker" });
  const { token } = await stack.account();
  const url = "http://10.0.0.1/secret-path";
  const fetched = await stack.rest(token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`);
  expect(fetched.json).toMatchObject({ error: "url_not_allowed" });
  const [event] = findEvents("egress.refused");
  expect(event).toMatchObject({ outcome: "failure", code: "url_not_allowed", host: "10.0.0.1" });
  expect(JSON.stringify(event)).not.toContain("secret-path");
});

test("the reuse of a refresh token is an event of the account whose tokens were revoked", async () => {
  const { accountId } = await stack.account();
  const client = await createClient(stack);
  const tokens = await obtainTokens(stack, await openSignedInBrowser(stack, accountId), client);
  const refreshed = await refreshTokens(stack, client, tokens.refresh_token);
  expect(refreshed.status).toBe(200);
  await stack.service.deps.db.prisma.oAuthToken.update({
    where: { tokenHash: hashToken(tokens.refresh_token) },
    data: { consumedAt: new Date(Date.now() - 86_400_000) },
  });
  expect(findEvents("oauth.refresh_token_reused")).toEqual([]);
  await refreshTokens(stack, client, tokens.refresh_token);
  expect(findEvents("oauth.refresh_token_reused")[0]).toMatchObject({ accountId, clientId: client.clientId });
  expect(findEvents("oauth.token_issued").at(-1)).toMatchObject({ outcome: "failure", code: "invalid_grant" });
  expect(JSON.stringify(lines)).not.toContain(tokens.refresh_token);
});
