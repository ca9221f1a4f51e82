// @module-tag postgresql
/** Passkeys over HTTP, with a software authenticator and the service's own verification. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { encodeUserHandle } from "../../../src/accounts/sign-in/relying-party.ts";
import { type Authenticator, createAuthenticator, type Deviations } from "../../support/authenticator.ts";
import { type BrowserClient, createBrowserClient, signInByEmail } from "../../support/browser-client.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";

let stack: Stack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let origin: string;
let visitor: BrowserClient;
let device: Authenticator;
let visitorCount = 0;

beforeAll(async () => {
  ({ stack, mail, stop } = await startSignInStack());
  // Passkeys require a host name; pages are served under this one.
  origin = `http://localhost:${new URL(stack.baseUrl).port}`;
});
afterAll(async () => {
  await stop();
});
beforeEach(() => {
  visitor = createBrowserClient(stack.baseUrl);
  device = createAuthenticator(origin);
});

const prisma = () => stack.service.deps.db.prisma;
const ERROR = "... on Error { code message }";
const SIGNED_IN =
  "... on SignInSuccess { isNewAccount viewer { account { accountId email displayName } session { sessionId method } } }";
const OPTIONS = "... on StartPasskeyRegistrationSuccess { attemptId options }";

const startSignUp = async (displayName = "Ada") =>
  (
    await visitor.graphql(
      `mutation ($n: String!) { startPasskeySignUp(input: { displayName: $n }) { ${OPTIONS} ${ERROR} } }`,
      { n: displayName },
    )
  ).startPasskeySignUp;
const completeSignUp = async (attemptId: string, response: unknown, name: string | null = null, by = visitor) =>
  (
    await by.graphql(
      `mutation ($input: CompletePasskeySignUpInput!) { completePasskeySignUp(input: $input) { ${SIGNED_IN} ${ERROR} } }`,
      { input: { attemptId, response, name } },
    )
  ).completePasskeySignUp;
const startSignIn = async (by = visitor) =>
  (
    await by.graphql(
      `mutation { startPasskeySignIn { ... on StartPasskeySignInSuccess { attemptId options } ${ERROR} } }`,
    )
  ).startPasskeySignIn;
const completeSignIn = async (attemptId: string, response: unknown, by = visitor) =>
  (
    await by.graphql(
      `mutation ($input: CompletePasskeySignInInput!) { completePasskeySignIn(input: $input) { ${SIGNED_IN} ${ERROR} } }`,
      { input: { attemptId, response } },
    )
  ).completePasskeySignIn;
const startAdding = async (by = visitor) =>
  (await by.graphql(`mutation { startPasskeyRegistration { ${OPTIONS} ${ERROR} } }`)).startPasskeyRegistration;
const completeAdding = async (attemptId: string, response: unknown, by = visitor) =>
  (
    await by.graphql(
      `mutation ($input: CompletePasskeyRegistrationInput!) { completePasskeyRegistration(input: $input) {
        ... on CompletePasskeyRegistrationSuccess { passkey { id passkeyId name isBackedUp } } ${ERROR} } }`,
      { input: { attemptId, response, name: "Second" } },
    )
  ).completePasskeyRegistration;
const remove = async (id: string, by = visitor) =>
  (
    await by.graphql(
      `mutation ($id: ID!) { removePasskey(input: { id: $id }) { ... on RemovePasskeySuccess { deletedId } ${ERROR} } }`,
      { id },
    )
  ).removePasskey;
const list = async () =>
  (
    await visitor.graphql(
      "{ viewer { passkeys(first: 50) { edges { cursor node { id passkeyId name lastUsedAt isBackedUp } } } } }",
    )
  ).viewer.passkeys.edges.map(({ node }: { node: { id: string; name: string } }) => node);

async function signUp() {
  const { attemptId, options } = await startSignUp();
  return await completeSignUp(attemptId, device.create(options), "Laptop");
}
async function signInWith(deviations: Deviations = {}) {
  const { attemptId, options } = await startSignIn();
  return await completeSignIn(attemptId, device.get(options, deviations));
}
const refused = { code: "PASSKEY_REFUSED" };

describe("sign-up with a passkey", () => {
  it("requests a discoverable credential with user verification", async () => {
    const { options } = await startSignUp(" Ada Lovelace ");
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Satchel" },
      user: { name: "Ada Lovelace", displayName: "Ada Lovelace" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect((await startSignIn()).options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect((await startSignIn()).options.allowCredentials ?? []).toEqual([]);
  });

  it("creates an account without an address and signs in to it again", async () => {
    const created = await signUp();
    expect(created).toMatchObject({
      isNewAccount: true,
      viewer: { account: { email: null, displayName: "Ada" }, session: { method: "PASSKEY" } },
    });
    visitor = createBrowserClient(stack.baseUrl);
    expect(await signInWith()).toMatchObject({ isNewAccount: false, viewer: { account: created.viewer.account } });
    expect(await list()).toMatchObject([{ name: "Laptop", lastUsedAt: expect.any(String), isBackedUp: false }]);
    const { node } = await visitor.graphql("query ($id: ID!) { node(id: $id) { ... on Passkey { name } } }", {
      id: (await list())[0].id,
    });
    expect(node).toEqual({ name: "Laptop" });
  });

  it.each<[string, Deviations]>([
    ["another origin", { origin: "https://evil.example" }],
    ["the same site by its address", { origin: "http://127.0.0.1:1" }],
    ["another challenge", { challenge: "YW5vdGhlciBjaGFsbGVuZ2U" }],
    ["another relying party", { rpId: "evil.example" }],
    ["a user who was not verified", { userVerified: false }],
    ["a frame in another site's page", { crossOrigin: true }],
    ["the origin of a page around the frame", { topOrigin: "https://evil.example" }],
  ])("is rejected for %s", async (_case, deviations) => {
    const { attemptId, options } = await startSignUp();
    expect(await completeSignUp(attemptId, device.create(options, deviations))).toMatchObject(refused);
    expect(await prisma().passkey.findUnique({ where: { id: device.credentials[0]?.id ?? "" } })).toBeNull();
  });

  it("is accepted once, and not in another browser or with a registered credential", async () => {
    const { attemptId, options } = await startSignUp();
    const response = device.create(options);
    expect(await completeSignUp(attemptId, response, null, createBrowserClient(stack.baseUrl))).toMatchObject(refused);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => completeSignUp(attemptId, response, null, visitor.copy())),
    );
    expect(results.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
    const accounts = await prisma().account.count();
    const another = await startSignUp();
    const duplicate = createAuthenticator(origin).create(another.options, { credentialId: response.id });
    expect(await completeSignUp(another.attemptId, duplicate)).toMatchObject(refused);
    expect(await prisma().account.count()).toBe(accounts);
  });
});

describe("sign-in with a passkey", () => {
  beforeEach(async () => {
    await signUp();
    visitor = createBrowserClient(stack.baseUrl);
  });

  it.each<[string, Deviations]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another challenge", { challenge: "YW5vdGhlciBjaGFsbGVuZ2U" }],
    ["another relying party", { rpId: "evil.example" }],
    ["a user who was not verified", { userVerified: false }],
    ["a frame in another site's page", { crossOrigin: true }],
    ["the origin of a page around the frame", { topOrigin: "https://evil.example" }],
    ["a counter that decreased", { counter: 1 }],
    ["an unknown credential", { credentialId: "dW5rbm93bg" }],
    ["another account's handle", { userHandle: encodeUserHandle(randomUUID()) }],
  ])("is rejected for %s with the same message", async (_case, deviations) => {
    const result = await signInWith(deviations);
    expect(result).toEqual({
      ...refused,
      message: "The passkey was not accepted. Retry, or use another sign-in method.",
    });
    expect(visitor.cookies.has("satchel_session")).toBe(false);
  });

  it("is rejected with another account's credential id and an own key", async () => {
    const victim = device.credentials[0]?.id ?? "";
    device = createAuthenticator(origin);
    visitor = createBrowserClient(stack.baseUrl);
    await signUp();
    const { attemptId, options } = await startSignIn();
    const forged = { ...device.get(options), id: victim, rawId: victim };
    expect(await completeSignIn(attemptId, forged)).toMatchObject(refused);
  });

  it("accepts a response once, in the same browser, within five minutes", async () => {
    const { attemptId, options } = await startSignIn();
    const response = device.get(options);
    expect(await completeSignIn(attemptId, response, createBrowserClient(stack.baseUrl))).toMatchObject(refused);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => completeSignIn(attemptId, response, visitor.copy())),
    );
    expect(results.filter(({ viewer }) => viewer)).toHaveLength(1);
    expect(await completeSignIn(attemptId, response)).toMatchObject(refused);
    // The same response does not match another attempt's challenge.
    const next = await startSignIn();
    expect(await completeSignIn(next.attemptId, response)).toMatchObject(refused);
    const late = await startSignIn();
    await prisma().signInAttempt.update({
      where: { id: late.attemptId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await completeSignIn(late.attemptId, device.get(late.options))).toMatchObject(refused);
  });

  it("rejects one of two clones with the same counter that sign in concurrently", async () => {
    const attempts = [await startSignIn(), await startSignIn()];
    const responses = attempts.map(({ options }) => device.get(options, { counter: 50 }));
    const results = await Promise.all(
      attempts.map(({ attemptId }, i) => completeSignIn(attemptId, responses[i], visitor.copy())),
    );
    expect(results.filter(({ viewer }) => viewer)).toHaveLength(1);
  });

  it("accepts repeated use of passkeys without a counter", async () => {
    device = createAuthenticator(origin, { hasCounter: false });
    visitor = createBrowserClient(stack.baseUrl);
    await signUp();
    for (let i = 0; i < 2; i++)
      expect(await signInWith()).toMatchObject({ viewer: { session: { method: "PASSKEY" } } });
    expect(await list()).toMatchObject([{ isBackedUp: true }]);
  });

  it.each([null, "text", {}, { id: "a b", rawId: "a", type: "public-key", response: {} }])(
    "rejects the malformed response %j",
    async (response) => {
      const { attemptId } = await startSignIn();
      expect(await completeSignIn(attemptId, response).catch(() => ({ code: "INVALID_REQUEST" }))).toMatchObject({
        code: "INVALID_REQUEST",
      });
    },
  );
});

describe("passkeys of a signed-in account", () => {
  let email: string;
  let sessionId: string;
  beforeEach(async () => {
    email = `passkeys${++visitorCount}@people.example`;
    sessionId = (await signInByEmail(visitor, mail, email)).viewer.session.sessionId;
  });
  const add = async () => {
    const { attemptId, options } = await startAdding();
    return await completeAdding(attemptId, device.create(options));
  };

  it("can be several, each with its name, and the owner is notified", async () => {
    expect(await add()).toMatchObject({ passkey: { name: "Second" } });
    const { options } = await startAdding();
    expect(options.user.name).toBe(email);
    expect(options.excludeCredentials).toEqual([expect.objectContaining({ id: device.credentials[0]?.id })]);
    await add();
    const [newest] = await list();
    const { renamePasskey } = await visitor.graphql(
      `mutation ($id: ID!) { renamePasskey(input: { id: $id, name: " Phone " }) { ... on RenamePasskeySuccess { passkey { name } } } }`,
      { id: newest.id },
    );
    expect(renamePasskey).toEqual({ passkey: { name: "Phone" } });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Phone", "Second"]);
    await vi.waitFor(() => {
      const notifications = mail.received.filter(
        ({ recipients, mail: { subject } }) => recipients.includes(email) && /was added/.test(subject ?? ""),
      );
      expect(notifications).toHaveLength(2);
    }, 20_000);
  });

  it("are not required for a sign-in by email", async () => {
    await add();
    const recovered = await signInByEmail(createBrowserClient(stack.baseUrl), mail, email);
    expect(recovered).toMatchObject({ isNewAccount: false });
  });

  it("are added and removed only with a proof of identity in the last ten minutes", async () => {
    await add();
    const [{ id }] = await list();
    const authenticatedAt = new Date(Date.now() - 601_000);
    await prisma().session.update({ where: { id: sessionId }, data: { authenticatedAt } });
    expect(await startAdding()).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await remove(id)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await signInWith()).toMatchObject({ viewer: { session: { sessionId, method: "PASSKEY" } } });
    expect(await remove(id)).toEqual({ deletedId: id });
    await vi.waitFor(
      () =>
        expect(
          mail.received.some(
            ({ mail: { subject }, recipients }) => recipients.includes(email) && /was removed/.test(subject ?? ""),
          ),
        ).toBe(true),
      10_000,
    );
  });

  it("cannot be registered, read or removed by another account", async () => {
    const { passkey } = await add();
    const { attemptId, options } = await startAdding();
    const response = createAuthenticator(origin).create(options);
    const victim = visitor;
    visitor = createBrowserClient(stack.baseUrl);
    await signInByEmail(visitor, mail, `other${visitorCount}@people.example`);
    expect(await completeAdding(attemptId, response)).toMatchObject(refused);
    // The cookie of the browser that started the attempt does not help.
    visitor.cookies.set("satchel_browser", victim.cookies.get("satchel_browser") ?? "");
    expect(await completeAdding(attemptId, response)).toMatchObject(refused);
    expect(await completeSignUp(attemptId, response)).toMatchObject(refused);
    expect(await remove(passkey.id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await visitor.graphql("query ($id: ID!) { node(id: $id) { id } }", { id: passkey.id })).toEqual({
      node: null,
    });
  });

  it("are limited to twenty, even with concurrent registrations", async () => {
    const { passkey } = await add();
    const row = await prisma().passkey.findUniqueOrThrow({ where: { id: passkey.passkeyId } });
    await prisma().passkey.createMany({ data: Array.from({ length: 17 }, () => ({ ...row, id: randomUUID() })) });
    const attempts = [await startAdding(), await startAdding(), await startAdding(), await startAdding()];
    const completions = attempts.map(({ attemptId, options }) =>
      completeAdding(attemptId, createAuthenticator(origin).create(options), visitor.copy()),
    );
    const results = await Promise.all(completions);
    expect(results.filter((result) => result.passkey)).toHaveLength(2);
    expect(results.filter(({ code }) => code === "INVALID_REQUEST")).toHaveLength(2);
    expect(await startAdding()).toMatchObject({
      message: "The passkey was not added: an account has at most 20. Remove one first.",
    });
    expect(await prisma().passkey.count({ where: { accountId: row.accountId } })).toBe(20);
  });

  it("cannot be registered with an API token", async () => {
    const { token } = await stack.account();
    const { json } = await stack.graphql(token, `mutation { startPasskeyRegistration { ${ERROR} } }`);
    expect(json.data.startPasskeyRegistration).toMatchObject({ code: "FORBIDDEN" });
  });
});

it("does not remove the last sign-in method, even with concurrent removals", async () => {
  await signUp();
  const [only] = await list();
  expect(await remove(only.id)).toMatchObject({ code: "LAST_SIGN_IN_METHOD" });
  for (let i = 0; i < 3; i++) {
    const { attemptId, options } = await startAdding();
    await completeAdding(attemptId, createAuthenticator(origin).create(options));
  }
  const ids = (await list()).map(({ id }: { id: string }) => id);
  expect(ids).toHaveLength(4);
  const results = await Promise.all(ids.map((id: string) => remove(id, visitor.copy())));
  expect(results.filter(({ deletedId }) => deletedId)).toHaveLength(3);
  expect(results.filter(({ code }) => code === "LAST_SIGN_IN_METHOD")).toHaveLength(1);
  expect(await list()).toHaveLength(1);
});
