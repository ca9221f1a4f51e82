// @module-tag postgresql
/** Consent, grants and their limits in the ledger. Payments use credit. */
import { beforeAll, describe, expect, it } from "vitest";
import { isStillValid } from "../../src/accounts/authenticate.ts";
import { createOffer } from "../security/seller.ts";
import {
  authorizeClient,
  type Browser,
  createAuthorizePath,
  createBrowser,
  createClient,
  decideAuthorization,
  exchangeCode,
  obtainTokens,
  openSignedInBrowser,
  readRequestId,
  refreshTokens,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await sharedStack();
});

const db = () => stack.service.deps.db.prisma;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface TestUser {
  readonly account: TestAccount;
  readonly browser: Browser;
}

async function createUser(own: { perTransaction?: bigint; daily?: bigint; monthly?: bigint } = {}): Promise<TestUser> {
  const account = await stack.account();
  await db().budget.update({
    where: { id: account.accountId },
    data: {
      perTransactionLimitMicroUsd: own.perTransaction ?? null,
      dailyLimitMicroUsd: own.daily ?? null,
      monthlyLimitMicroUsd: own.monthly ?? null,
    },
  });
  return { account, browser: await openSignedInBrowser(stack, account.accountId) };
}

const requestAuthorization = async (
  { browser }: TestUser,
  client: TestClient,
  parameters: Record<string, string> = {},
) => readRequestId(await browser.navigate(createAuthorizePath(client.clientId, { prompt: "consent", ...parameters })));

const READ = `query ($id: ID!) { authorizationRequest(id: $id) { requestId isPopup needsSignIn needsConsent expiresAt
  client { clientId supportEmail isOwn } scopes { name description } networks previous { grantId networks }
  strictScopes waivedScopes { name description }
  suggestedLimits { perTransactionLimitUsd dailyLimitUsd monthlyLimitUsd } ownLimits { day { limitUsd } } } }`;

const pay = (token: string, amountAtomic = "1000", network = "base-sepolia") =>
  stack.rest(
    null,
    "POST",
    "/api/sign-payment",
    {
      paymentRequirements: createOffer({ maxAmountRequired: amountAtomic, network }),
      requestData: { url: "http://shop.test/" },
    },
    bearer(token),
  );

const APPS = `{ viewer { connectedApps { edges { node { id grantId scopes strictScopes waivedScopes networks revokedAt lastUsedAt client { appName isOwn redirectHost }
  spending { perTransactionLimitUsd day { limitUsd outstandingUsd remainingUsd } month { limitUsd } }
  transactions { edges { node { amountUsd resource } } } } } } } }`;
const connectedApps = async ({ browser }: TestUser) =>
  (await browser.graphql(APPS)).json.data.viewer.connectedApps.edges.map(({ node }: { node: unknown }) => node);

describe("a pending request", () => {
  it("contains the requested scopes, the suggested limits and the previous grant", async () => {
    const user = await createUser({ daily: 3_000_000n });
    const client = await createClient(stack);
    const id = await requestAuthorization(user, client, { scope: "payments:sign email:read", display: "popup" });
    const first = (await user.browser.graphql(READ, { id })).json.data.authorizationRequest;
    expect(first).toMatchObject({
      requestId: id,
      isPopup: true,
      needsSignIn: false,
      needsConsent: true,
      client: { clientId: client.clientId, supportEmail: "help@app.example" },
      scopes: [{ name: "PAYMENTS_SIGN", description: expect.any(String) }, { name: "EMAIL_READ" }],
      previous: null,
      // Capped at the account's own 3.00 per day.
      suggestedLimits: { perTransactionLimitUsd: "5.00", dailyLimitUsd: "3.00", monthlyLimitUsd: "100.00" },
      ownLimits: { day: { limitUsd: "3.00" } },
    });
    expect(first.networks).toContain("base");
    await decideAuthorization(user.browser, id, { dailyLimitUsd: "1.00", networks: ["base", "solana"] });
    expect((await user.browser.graphql(READ, { id })).json.data.authorizationRequest).toBeNull();

    const again = (await user.browser.graphql(READ, { id: await requestAuthorization(user, client) })).json.data
      .authorizationRequest;
    expect(again.previous.networks).toEqual(["base", "solana"]);
    expect(again.suggestedLimits.dailyLimitUsd).toBe("1.00");
  });

  it("contains no account data without a session, and no data of another account", async () => {
    const [user, other] = [await createUser(), await createUser()];
    const client = await createClient(stack);
    await obtainTokens(stack, user.browser, client);
    const id = await requestAuthorization(user, client);
    const closed = {
      needsSignIn: true,
      needsConsent: true,
      networks: [],
      previous: null,
      suggestedLimits: null,
      ownLimits: null,
    };
    expect((await createBrowser(stack, null).graphql(READ, { id })).json.data.authorizationRequest).toMatchObject(
      closed,
    );
    expect((await stack.graphql(user.account.token, READ, { id })).json.data.authorizationRequest).toMatchObject(
      closed,
    );
    expect((await other.browser.graphql(READ, { id })).json.data.authorizationRequest).toMatchObject({
      needsSignIn: false,
      previous: null,
    });
  });

  it("is not found after its expiry or the revocation of its application", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const [late, revoked] = [await requestAuthorization(user, client), await requestAuthorization(user, client)];
    await db().oAuthRequest.update({ where: { id: late }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await user.browser.graphql(READ, { id: late })).json.data.authorizationRequest).toBeNull();
    expect(await decideAuthorization(user.browser, late)).toMatchObject({ code: "NOT_FOUND" });
    await db().oAuthClient.update({ where: { id: client.clientId }, data: { status: "revoked" } });
    expect((await user.browser.graphql(READ, { id: revoked })).json.data.authorizationRequest).toBeNull();
    expect(await decideAuthorization(user.browser, revoked)).toMatchObject({ code: "NOT_FOUND" });
    expect((await user.browser.graphql(READ, { id: "oar_\0" })).json.data.authorizationRequest).toBeNull();
  });
});

describe("a decision", () => {
  it.each([
    ["perTransactionLimitUsd", { perTransaction: 1_000_000n }],
    ["dailyLimitUsd", { daily: 1_000_000n }],
    ["monthlyLimitUsd", { monthly: 1_000_000n }],
  ])("rejects %s above the account's own limit", async (field, own) => {
    const user = await createUser(own);
    const client = await createClient(stack);
    const id = await requestAuthorization(user, client);
    for (const limit of ["1.000001", null]) {
      const rejected = await decideAuthorization(user.browser, id, { [field]: limit });
      expect(rejected).toMatchObject({ __typename: "LimitExceedsOwnError", code: "LIMIT_EXCEEDS_OWN", field });
    }
    expect(await decideAuthorization(user.browser, id, { [field]: "1.00" })).toMatchObject({
      continueUrl: expect.any(String),
    });
  });

  it("requires at least one network", async () => {
    const user = await createUser();
    const id = await requestAuthorization(user, await createClient(stack));
    expect(await decideAuthorization(user.browser, id, { networks: [] })).toMatchObject({
      code: "INVALID_REQUEST",
      field: "networks",
    });
  });

  it("is recorded once under concurrent decisions", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const id = await requestAuthorization(user, client);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        decideAuthorization(user.browser, id, { approve: i % 2 === 0, dailyLimitUsd: `${i + 1}` }),
      ),
    );
    const decided = responses.filter(({ continueUrl }) => continueUrl !== undefined);
    expect(decided).toHaveLength(1);
    expect(responses.filter(({ code }) => code === "NOT_FOUND")).toHaveLength(19);
    const isApproved = responses.indexOf(decided[0]) % 2 === 0;
    expect(await db().oAuthGrant.count({ where: { clientId: client.clientId } })).toBe(isApproved ? 1 : 0);
  });

  it("about concurrent requests results in one active grant", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const ids = await Promise.all(Array.from({ length: 8 }, () => requestAuthorization(user, client)));
    const decisions = await Promise.all(ids.map((id) => decideAuthorization(user.browser, id)));
    expect(decisions.every(({ continueUrl }) => continueUrl !== undefined)).toBe(true);
    const grants = await db().oAuthGrant.findMany({ where: { clientId: client.clientId } });
    expect(grants).toHaveLength(1);
    expect(await db().budget.count({ where: { id: grants[0]?.id ?? "" } })).toBe(1);
  });

  it("requires a session and a page of this site", async () => {
    const user = await createUser();
    const id = await requestAuthorization(user, await createClient(stack));
    const DECIDE = `mutation ($id: ID!) { decideAuthorization(input: { requestId: $id, approve: true }) { __typename ... on Error { code } } }`;
    const codeOf = ({
      json,
    }: {
      json: { data?: { decideAuthorization?: { code: string } }; errors?: { extensions: { code: string } }[] };
    }) => json.data?.decideAuthorization?.code ?? json.errors?.[0]?.extensions.code;
    expect(codeOf(await stack.graphql(user.account.token, DECIDE, { id }))).toBe("FORBIDDEN");
    expect(codeOf(await createBrowser(stack, null).graphql(DECIDE, { id }))).toBe("unauthorized");
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]) {
      expect(codeOf(await user.browser.graphql(DECIDE, { id }, headers))).toBe("unauthorized");
    }
    expect(await db().oAuthRequest.findUniqueOrThrow({ where: { id } })).toMatchObject({ decidedAt: null });
  });
});

describe("/oauth/continue", () => {
  const decided = async (user: TestUser, client: TestClient, decision: object = {}, parameters = {}) =>
    (await decideAuthorization(user.browser, await requestAuthorization(user, client, parameters), decision))
      .continueUrl as string;

  it("redirects once, in the browser that decided", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const url = await decided(user, client);
    const sameAccount = await openSignedInBrowser(stack, user.account.accountId);
    for (const browser of [createBrowser(stack, null), (await createUser()).browser, sameAccount]) {
      const rejected = await browser.navigate(url);
      expect(rejected.status).toBe(400);
      expect(await rejected.text()).toContain("another browser");
    }
    const responses = await Promise.all(Array.from({ length: 10 }, () => user.browser.navigate(url)));
    const redirects = responses.filter(({ status }) => status === 303);
    expect(redirects).toHaveLength(1);
    expect(redirects[0]?.headers.get("cache-control")).toBe("no-store");
    expect(redirects[0]?.headers.get("referrer-policy")).toBe("no-referrer");
    const code = new URL(redirects[0]?.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect((await exchangeCode(stack, client, code)).status).toBe(200);
  });

  it("returns a denial with state and iss", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const response = await user.browser.navigate(await decided(user, client, { approve: false }, { state: "s p" }));
    const parameters = Object.fromEntries(new URL(response.headers.get("location") ?? "").searchParams);
    expect(parameters).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "s p",
      iss: stack.baseUrl,
    });
    expect(await db().oAuthGrant.count({ where: { clientId: client.clientId } })).toBe(0);
  });

  it("responds with 400 before the decision and for unknown requests", async () => {
    const user = await createUser();
    const id = await requestAuthorization(user, await createClient(stack));
    for (const request of [id, "oar_1_unknown", "%00", ""]) {
      expect((await user.browser.navigate(`/oauth/continue?request=${request}`)).status).toBe(400);
    }
    expect(await decideAuthorization(user.browser, id)).toMatchObject({ continueUrl: expect.any(String) });
  });

  it("returns no code if the grant or the application was revoked since the decision", async () => {
    const user = await createUser();
    const [client, revoked] = [await createClient(stack), await createClient(stack)];
    const [url, other] = [await decided(user, client), await decided(user, revoked)];
    const [{ id }] = (await connectedApps(user)).filter(({ grantId }: { grantId: string }) => grantId !== undefined);
    for (const app of await connectedApps(user)) await disconnect(user, app.id);
    expect(id).toBeDefined();
    const response = await user.browser.navigate(url);
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("error")).toBe("access_denied");
    await db().oAuthClient.update({ where: { id: revoked.clientId }, data: { status: "revoked" } });
    expect((await user.browser.navigate(other)).status).toBe(400);
  });

  it("returns a page that posts to the opener with the response mode web_message", async () => {
    const user = await createUser();
    const response = await user.browser.navigate(
      await decided(user, await createClient(stack), {}, { response_mode: "web_message", state: '"><b>' }),
    );
    const text = await response.text();
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'/);
    expect(policy).not.toContain("unsafe");
    expect(text).toContain('<script src="/oauth/opener.js" defer></script>');
    expect(text).not.toContain("<b>");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const script = await fetch(`${stack.baseUrl}/oauth/opener.js`);
    expect(script.headers.get("content-type")).toContain("javascript");
  });
});

const disconnect = async ({ browser }: TestUser, id: string) =>
  (
    await browser.graphql(
      `mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename ... on DisconnectAppSuccess { grant { revokedAt } } ... on Error { code } } }`,
      { id },
    )
  ).json.data.disconnectApp;

const UPDATE = `mutation ($input: UpdateGrantLimitsInput!) { updateGrantLimits(input: $input) { __typename
  ... on UpdateGrantLimitsSuccess { grant { networks spending { perTransactionLimitUsd day { limitUsd } } } }
  ... on Error { code } ... on LimitExceedsOwnError { field } ... on InvalidRequestError { field } } }`;
const update = async ({ browser }: TestUser, input: object) =>
  (await browser.graphql(UPDATE, { input })).json.data.updateGrantLimits;

describe("the limits of a grant", () => {
  it("apply exactly to all tokens of the application together", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const tokens = await obtainTokens(stack, user.browser, client, { decision: { dailyLimitUsd: "0.005" } });
    const next = (await refreshTokens(stack, client, tokens.refresh_token)).json;
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => pay(i % 2 ? tokens.access_token : next.access_token)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const { json } of responses.filter(({ status }) => status !== 200)) {
      expect(json).toMatchObject({ error: "spending_limit_exceeded", limit: 0.005, remaining: 0 });
    }
    expect((await pay(user.account.token)).status).toBe(200);
    const [app] = await connectedApps(user);
    expect(app).toMatchObject({
      spending: { day: { limitUsd: "0.005", outstandingUsd: "0.005", remainingUsd: "0.00" } },
      lastUsedAt: expect.any(String),
      client: { appName: "Ledger & <Sons>", redirectHost: "app.example" },
    });
    expect(app.transactions.edges).toHaveLength(5);
  });

  it("apply in addition to the account's own", async () => {
    const user = await createUser({ daily: 2_000n });
    const tokens = await obtainTokens(stack, user.browser, await createClient(stack));
    expect((await pay(tokens.access_token, "2000")).status).toBe(200);
    expect((await pay(tokens.access_token, "1")).json.error).toBe("spending_limit_exceeded");
  });

  it("and its networks can be changed with immediate effect, within the account's own", async () => {
    const user = await createUser({ perTransaction: 1_000_000n });
    const tokens = await obtainTokens(stack, user.browser, await createClient(stack));
    const [{ id }] = await connectedApps(user);
    expect(await update(user, { id, perTransactionLimitUsd: "1.01" })).toMatchObject({
      code: "LIMIT_EXCEEDS_OWN",
      field: "perTransactionLimitUsd",
    });
    expect(await update(user, { id, perTransactionLimitUsd: "0.0005" })).toMatchObject({
      grant: { spending: { perTransactionLimitUsd: "0.0005", day: { limitUsd: "20.00" } } },
    });
    expect((await pay(tokens.access_token)).json.error).toBe("spending_limit_exceeded");
    expect((await pay(tokens.access_token, "500")).status).toBe(200);
    expect(await update(user, { id, networks: ["solana"] })).toMatchObject({ grant: { networks: ["solana"] } });
    expect((await pay(tokens.access_token, "500")).json.error).toBe("no_acceptable_requirement");
  });

  it("cannot be read or changed by another account", async () => {
    const [user, other] = [await createUser(), await createUser()];
    await obtainTokens(stack, user.browser, await createClient(stack));
    const [{ id }] = await connectedApps(user);
    expect(await connectedApps(other)).toEqual([]);
    expect(
      (await other.browser.graphql("query ($id: ID!) { node(id: $id) { id } }", { id })).json.data.node,
    ).toBeNull();
    expect(await update(other, { id, dailyLimitUsd: "1" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await disconnect(other, id)).toMatchObject({ code: "NOT_FOUND" });
    const byToken = await stack.graphql(user.account.token, UPDATE, { input: { id, dailyLimitUsd: "1" } });
    expect(byToken.json.data.updateGrantLimits.code).toBe("FORBIDDEN");
  });
});

describe("an access token", () => {
  it("cannot manage the account", async () => {
    const user = await createUser();
    const tokens = await obtainTokens(stack, user.browser, await createClient(stack));
    const CREATE = `mutation { createApiToken(input: { name: "x" }) { __typename ... on Error { code } } }`;
    const { json } = await stack.graphql(null, CREATE, {}, bearer(tokens.access_token));
    expect(json.data.createApiToken.code).toBe("FORBIDDEN");
    const [{ id }] = await connectedApps(user);
    const DISCONNECT = `mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename ... on Error { code } } }`;
    expect(
      (await stack.graphql(null, DISCONNECT, { id }, bearer(tokens.access_token))).json.data.disconnectApp.code,
    ).toBe("FORBIDDEN");
  });

  it.each([
    [
      "the client",
      async (_user: TestUser, client: TestClient) =>
        void (await db().oAuthClient.update({ where: { id: client.clientId }, data: { strictScopes: true } })),
    ],
    [
      "the account",
      async ({ account }: TestUser) =>
        void (await db().account.update({ where: { id: account.accountId }, data: { strictScopes: true } })),
    ],
  ])("may call any route until %s enables strict scopes", async (_case, enableStrictScopes) => {
    const user = await createUser();
    const client = await createClient(stack);
    const tokens = await obtainTokens(stack, user.browser, client, { parameters: { scope: "balance:read" } });
    expect((await pay(tokens.access_token)).status).toBe(200);
    await enableStrictScopes(user, client);
    const rejected = await pay(tokens.access_token);
    expect(rejected).toMatchObject({ status: 403, json: { error: "forbidden" } });
  });

  describe("of an application with the waiver", () => {
    const narrow = { parameters: { scope: "balance:read" } };
    const inbox = (token: string) => stack.rest(null, "GET", "/api/agent/email/inbox", undefined, bearer(token));

    it("may call any route, which the request and the grant say", async () => {
      const user = await createUser();
      const client = await createClient(stack);
      const id = await requestAuthorization(user, client, narrow.parameters);
      const request = (await user.browser.graphql(READ, { id })).json.data.authorizationRequest;
      expect(request.strictScopes).toBe(false);
      const waived = request.waivedScopes.map(({ name }: { name: string }) => name);
      expect(waived).toEqual(expect.arrayContaining(["PAYMENTS_SIGN", "EMAIL_READ", "ORDERS_WRITE"]));
      expect(waived).not.toContain("BALANCE_READ");
      expect(request.waivedScopes.find(({ name }: { name: string }) => name === "EMAIL_READ").description).toBe(
        "Read and send email in your agent's mailbox",
      );
      const tokens = await obtainTokens(stack, user.browser, client, narrow);
      expect((await pay(tokens.access_token)).status).toBe(200);
      expect(await connectedApps(user)).toMatchObject([{ strictScopes: false, waivedScopes: waived }]);
    });

    it("enforces its scopes if the owner chooses so at the consent, also after a later consent", async () => {
      const user = await createUser();
      const client = await createClient(stack);
      const decision = { strictScopes: true };
      const first = await obtainTokens(stack, user.browser, client, { ...narrow, decision });
      const second = await obtainTokens(stack, user.browser, client, narrow);
      for (const { access_token: token } of [first, second]) {
        expect((await pay(token)).status).toBe(403);
        expect((await inbox(token)).status).toBe(403);
      }
      expect(await connectedApps(user)).toMatchObject([{ strictScopes: true, waivedScopes: [] }]);
    });

    it("enforces its scopes once the owner changes the grant, and never waives them again", async () => {
      const user = await createUser();
      const client = await createClient(stack);
      const tokens = await obtainTokens(stack, user.browser, client, narrow);
      const [{ id }] = await connectedApps(user);
      expect((await inbox(tokens.access_token)).status).not.toBe(403);
      expect(await update(user, { id, strictScopes: true })).toMatchObject({ __typename: "UpdateGrantLimitsSuccess" });
      expect((await inbox(tokens.access_token)).status).toBe(403);
      expect(await update(user, { id, strictScopes: false })).toMatchObject({ field: "strictScopes" });
      expect(await update(user, { id, dailyLimitUsd: "1" })).toMatchObject({ __typename: "UpdateGrantLimitsSuccess" });
      expect((await inbox(tokens.access_token)).status).toBe(403);
    });
  });

  it("of an application that enforces its scopes does so after the application drops that", async () => {
    const user = await createUser();
    const client = await createClient(stack, { strictScopes: true });
    const tokens = await obtainTokens(stack, user.browser, client, { parameters: { scope: "balance:read" } });
    const id = await requestAuthorization(user, client);
    expect((await user.browser.graphql(READ, { id })).json.data.authorizationRequest).toMatchObject({
      strictScopes: true,
      waivedScopes: [],
    });
    const refused = await decideAuthorization(user.browser, id, { strictScopes: false });
    expect(refused).toMatchObject({ code: "INVALID_REQUEST", field: "strictScopes" });
    await db().oAuthClient.update({ where: { id: client.clientId }, data: { strictScopes: false } });
    expect((await pay(tokens.access_token)).status).toBe(403);
    const balance = await stack.rest(null, "GET", "/api/balance", undefined, bearer(tokens.access_token));
    expect(balance.status).toBe(200);
  });

  it("is invalid immediately after the disconnection, even during its payments", async () => {
    const user = await createUser();
    const client = await createClient(stack);
    const tokens = await obtainTokens(stack, user.browser, client);
    const [{ id }] = await connectedApps(user);
    const payments = Array.from({ length: 10 }, () => pay(tokens.access_token));
    const ended = await disconnect(user, id);
    expect(ended.grant.revokedAt).not.toBeNull();
    const later = await pay(tokens.access_token);
    expect(later.status).toBe(401);
    const during = await Promise.all(payments);
    expect(during.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect((await refreshTokens(stack, client, tokens.refresh_token)).json.error).toBe("invalid_grant");
    expect(await disconnect(user, id)).toMatchObject({ __typename: "DisconnectAppSuccess" });
    const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: client.clientId } });
    expect((await db().budget.findUniqueOrThrow({ where: { id: grant.id } })).closedAt).not.toBeNull();
    // A new consent creates a new grant and budget.
    await obtainTokens(stack, user.browser, client);
    expect(
      (await connectedApps(user)).map(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null),
    ).toEqual([true, false]);
  });

  it("of an open connection becomes invalid with its grant, its application and its budget", async () => {
    const { deps } = stack.service;
    const user = await createUser();
    const stillValid = async (end: (grantId: string, clientId: string) => Promise<unknown>) => {
      const client = await createClient(stack);
      const tokens = await obtainTokens(stack, user.browser, client);
      const kind = deps.tokenKinds.find(({ credentialKind }) => credentialKind === "access_token");
      const viewer = await kind?.find(deps.db, tokens.access_token, null);
      if (!viewer) throw new Error("The token was not found.");
      const before = await isStillValid(deps, viewer);
      const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: client.clientId } });
      await end(grant.id, client.clientId);
      return [
        before,
        await isStillValid(deps, viewer),
        (await kind?.find(deps.db, tokens.access_token, null)) !== null,
      ];
    };
    const invalidated = [true, false, false];
    expect(await stillValid((id) => db().budget.update({ where: { id }, data: { closedAt: new Date() } }))).toEqual(
      invalidated,
    );
    expect(
      await stillValid((_id, id) => db().oAuthClient.update({ where: { id }, data: { status: "revoked" } })),
    ).toEqual(invalidated);
    expect(
      await stillValid((id) => db().oAuthGrant.update({ where: { id }, data: { revokedAt: new Date() } })),
    ).toEqual(invalidated);
  });

  it("retains its scopes when a later consent adds scopes to the grant", async () => {
    const user = await createUser();
    const client = await createClient(stack, { strictScopes: true });
    const narrow = await obtainTokens(stack, user.browser, client, { parameters: { scope: "balance:read" } });
    const wide = await obtainTokens(stack, user.browser, client, { parameters: { scope: "payments:sign" } });
    expect((await pay(narrow.access_token)).status).toBe(403);
    expect((await pay(wide.access_token)).status).toBe(200);
    const [app] = await connectedApps(user);
    expect(app.scopes.toSorted()).toEqual(["BALANCE_READ", "PAYMENTS_SIGN"]);
    const both = await authorizeClient(user.browser, client, { prompt: "consent", scope: "balance:read" });
    expect((await exchangeCode(stack, client, both.get("code") ?? "")).json.scope).toBe("balance:read");
  });
});
