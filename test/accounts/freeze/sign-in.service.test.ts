// @module-tag postgresql
/** Sign-in, resumption with a passkey, and token refresh while an account or the service is frozen. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Authenticator, createAuthenticator } from "../../support/authenticator.ts";
import { type BrowserClient, createBrowserClient, signInByEmail } from "../../support/browser-client.ts";
import {
  authorizeClient,
  createChallengeParameters,
  createClient,
  createPkce,
  exchangeCode,
  obtainTokens,
  openSignedInBrowser,
  refreshTokens,
} from "../../support/oauth.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import { ADMIN_EMAIL, ADMIN_TOKEN, type Stack } from "../../support/stack.ts";

let stack: Stack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let origin: string;
let visitor: BrowserClient;
let device: Authenticator;

beforeAll(async () => {
  ({ stack, mail, stop } = await startSignInStack({ env: { ADMIN_EMAILS: ADMIN_EMAIL } }));
  origin = `http://localhost:${new URL(stack.baseUrl).port}`;
});
afterAll(async () => {
  await stop?.();
});
beforeEach(() => {
  visitor = createBrowserClient(stack.baseUrl);
  device = createAuthenticator(origin);
});

const prisma = () => stack.service.deps.db.prisma;
const ERROR = "... on Error { code message }";

async function signUpWithPasskey(): Promise<string> {
  const { startPasskeySignUp: started } = await visitor.graphql(
    `mutation { startPasskeySignUp(input: { displayName: "Ada" }) { ... on StartPasskeyRegistrationSuccess { attemptId options } ${ERROR} } }`,
  );
  const input = { attemptId: started.attemptId, response: device.create(started.options), name: "Laptop" };
  const { completePasskeySignUp: completed } = await visitor.graphql(
    `mutation ($input: CompletePasskeySignUpInput!) { completePasskeySignUp(input: $input) {
      ... on SignInSuccess { viewer { account { accountId } } } ${ERROR} } }`,
    { input },
  );
  return completed.viewer.account.accountId;
}

async function signInWithPasskey(by = visitor) {
  const { startPasskeySignIn: started } = await by.graphql(
    `mutation { startPasskeySignIn { ... on StartPasskeySignInSuccess { attemptId options } ${ERROR} } }`,
  );
  const query = `mutation ($input: CompletePasskeySignInInput!) { completePasskeySignIn(input: $input) { __typename ${ERROR} } }`;
  const variables = { input: { attemptId: started.attemptId, response: device.get(started.options) } };
  const headers = {
    "content-type": "application/json",
    origin: new URL(stack.baseUrl).origin,
    "sec-fetch-site": "same-origin",
  };
  const body = JSON.stringify({ query, variables });
  return (await by.request("/graphql", { method: "POST", headers, body })).json;
}

const STATE = "account { frozenBy }";
const change = async (name: "stopEverything" | "resumeAccount", by = visitor) => {
  const success = name === "stopEverything" ? "StopEverythingSuccess" : "ResumeAccountSuccess";
  return (
    await by.graphql(
      `mutation { ${name}${name === "stopEverything" ? "(input: {})" : ""} { ... on ${success} { ${STATE} } ${ERROR} } }`,
    )
  )[name];
};
const administer = async (operation: string, fields = "__typename") =>
  (await stack.graphql(ADMIN_TOKEN, `mutation { ${operation} { ${fields} ${ERROR} } }`)).json.data;

it("lets the owner of a stopped account sign in and read, and resume it only with a recent passkey proof", async () => {
  const accountId = await signUpWithPasskey();
  expect(await change("stopEverything")).toEqual({ account: { frozenBy: "OWNER" } });

  const session = { accountId, revokedAt: null };
  // A newer proof by email replaces the one by passkey.
  await prisma().session.updateMany({ where: session, data: { method: "email_code" } });
  expect(await change("resumeAccount")).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
  const old = new Date(Date.now() - 11 * 60_000);
  await prisma().session.updateMany({ where: session, data: { method: "passkey", authenticatedAt: old } });
  expect(await change("resumeAccount")).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });

  const other = createBrowserClient(stack.baseUrl);
  expect((await signInWithPasskey(other)).data.completePasskeySignIn.__typename).toBe("SignInSuccess");
  expect((await other.graphql(`{ viewer { ${STATE} } }`)).viewer.account).toEqual({ frozenBy: "OWNER" });
  expect(await change("resumeAccount", other)).toEqual({ account: { frozenBy: null } });
  expect(await prisma().accountFreeze.findMany({ where: { accountId } })).toMatchObject([
    { frozenBy: "owner", unfrozenAt: expect.any(Date) },
  ]);
});

it("resumes an account without a passkey for an administrator only, and notifies its owner", async () => {
  await signInByEmail(visitor, mail, "no-passkey@example.test");
  await change("stopEverything");
  expect(await change("resumeAccount")).toMatchObject({
    ...{ code: "FORBIDDEN", message: expect.stringContaining("no passkey") },
  });
  const { id } = await prisma().account.findUniqueOrThrow({ where: { email: "no-passkey@example.test" } });
  await administer(`unfreezeAccount(input: { accountId: "${id}", reason: "Identity checked" })`);
  expect(await prisma().account.findUniqueOrThrow({ where: { id } })).toMatchObject({ frozenAt: null });
  const subjects = () =>
    mail.received
      .filter(({ recipients }) => recipients.includes("no-passkey@example.test"))
      .map(({ mail: { subject } }) => subject);
  await expect
    .poll(subjects)
    .toEqual(expect.arrayContaining(["Your Satchel account was stopped", "Your Satchel account was resumed"]));
});

it("refuses codes and refresh tokens of a frozen account without consuming them", async () => {
  const account = await stack.account();
  const user = await openSignedInBrowser(stack, account.accountId);
  const client = await createClient(stack);
  const { refresh_token: refreshToken } = await obtainTokens(stack, user, client);
  const pkce = createPkce();
  const code = (await authorizeClient(user, client, createChallengeParameters(pkce))).get("code") ?? "";
  await administer(`freezeAccount(input: { accountId: "${account.accountId}", reason: "Fraud" })`);
  for (const { status, json } of [
    await refreshTokens(stack, client, refreshToken),
    await exchangeCode(stack, client, code, { code_verifier: pkce.verifier }),
  ]) {
    expect([status, json.error]).toEqual([503, "temporarily_unavailable"]);
  }
  await administer(`unfreezeAccount(input: { accountId: "${account.accountId}", reason: "Cleared" })`);
  expect((await refreshTokens(stack, client, refreshToken)).status).toBe(200);
  expect((await exchangeCode(stack, client, code, { code_verifier: pkce.verifier })).status).toBe(200);
});

it("refuses the sign-in to an account that an administrator froze, and its resumption by the owner", async () => {
  const accountId = await signUpWithPasskey();
  await administer(`freezeAccount(input: { accountId: "${accountId}", reason: "Fraud" })`);
  expect(await change("resumeAccount")).toMatchObject({ code: "FORBIDDEN" });
  expect((await visitor.graphql(`{ viewer { ${STATE} } }`)).viewer.account).toEqual({ frozenBy: "ADMINISTRATOR" });
  const { errors } = await signInWithPasskey(createBrowserClient(stack.baseUrl));
  expect(errors[0].extensions.code).toBe("account_frozen");
});

it("admits only administrators to sign in while the service is frozen, who can end the freeze", async () => {
  await signUpWithPasskey();
  const administrator = createBrowserClient(stack.baseUrl);
  await signInByEmail(administrator, mail, ADMIN_EMAIL);
  await administer('freezeService(input: { reason: "Incident" })');
  expect((await signInWithPasskey(createBrowserClient(stack.baseUrl))).errors[0].extensions).toMatchObject({
    ...{ code: "service_frozen", retryAfterMs: 60_000 },
  });
  const again = createBrowserClient(stack.baseUrl);
  await signInByEmail(again, mail, ADMIN_EMAIL);
  const { unfreezeService } = await again.graphql(
    `mutation { unfreezeService(input: { reason: "Resolved" }) { ... on UnfreezeServiceSuccess { wasFrozen } ${ERROR} } }`,
  );
  expect(unfreezeService).toEqual({ wasFrozen: true });
  expect((await signInWithPasskey()).data.completePasskeySignIn.__typename).toBe("SignInSuccess");
});

it("leaves an administrator whose account is frozen no act while the service is frozen too", async () => {
  const administrator = createBrowserClient(stack.baseUrl);
  const { accountId } = (await signInByEmail(administrator, mail, ADMIN_EMAIL)).viewer.account;
  await administer(`freezeAccount(input: { accountId: "${accountId}", reason: "Stolen device" })`);
  await administer('freezeService(input: { reason: "Incident" })');
  const act = (operation: string) =>
    administrator.graphql(`mutation { ${operation}(input: { reason: "Mine" }) { __typename ${ERROR} } }`);
  await expect(act("unfreezeService")).rejects.toThrow("account_frozen");
  expect(await prisma().serviceFreeze.count()).toBe(1);
  await administer('unfreezeService(input: { reason: "Resolved" })');
  await administer(`unfreezeAccount(input: { accountId: "${accountId}", reason: "Resolved" })`);
});

it("refuses the sign-in to a stopped account while the service is frozen", async () => {
  await signUpWithPasskey();
  await change("stopEverything");
  await administer('freezeService(input: { reason: "Incident" })');
  const { errors } = await signInWithPasskey(createBrowserClient(stack.baseUrl));
  await administer('unfreezeService(input: { reason: "Resolved" })');
  expect(errors[0].extensions.code).toBe("service_frozen");
});
