// @module-tag postgresql
/** What a person allows, and what the ledger makes of it. Credit pays. */
import { beforeAll, describe, expect, it } from "vitest";
import { isStillValid } from "../../src/accounts/authenticate.ts";
import { offer } from "../security/shop.ts";
import {
  authorizeByHand,
  authorizePath,
  type Browser,
  browserOf,
  createClient,
  decide,
  exchange,
  refresh,
  requestIdOf,
  signedIn,
  type TestClient,
  tokensOf,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await sharedStack();
});

const db = () => stack.service.deps.db.prisma;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Person {
  readonly account: TestAccount;
  readonly browser: Browser;
}

async function newPerson(own: { perTransaction?: bigint; daily?: bigint; monthly?: bigint } = {}): Promise<Person> {
  const account = await stack.account();
  await db().budget.update({
    where: { id: account.accountId },
    data: {
      perTransactionLimitMicroUsd: own.perTransaction ?? null,
      dailyLimitMicroUsd: own.daily ?? null,
      monthlyLimitMicroUsd: own.monthly ?? null,
    },
  });
  return { account, browser: await signedIn(stack, account.accountId) };
}

const ask = async ({ browser }: Person, client: TestClient, parameters: Record<string, string> = {}) =>
  requestIdOf(await browser.navigate(authorizePath(client.clientId, { prompt: "consent", ...parameters })));

const READ = `query ($id: ID!) { authorizationRequest(id: $id) { requestId isPopup needsSignIn needsConsent expiresAt
  client { clientId supportEmail isOwn } scopes { name description } networks previous { grantId networks }
  suggestedLimits { perTransactionLimitUsd dailyLimitUsd monthlyLimitUsd } ownLimits { day { limitUsd } } } }`;

const pay = (token: string, amountAtomic = "1000", network = "base-sepolia") =>
  stack.rest(
    null,
    "POST",
    "/api/sign-payment",
    {
      paymentRequirements: offer({ maxAmountRequired: amountAtomic, network }),
      requestData: { url: "http://shop.test/" },
    },
    bearer(token),
  );

const APPS = `{ viewer { connectedApps { edges { node { id grantId scopes networks revokedAt lastUsedAt client { appName isOwn redirectHost }
  spending { perTransactionLimitUsd day { limitUsd outstandingUsd remainingUsd } month { limitUsd } }
  transactions { edges { node { amountUsd resource } } } } } } } }`;
const connectedApps = async ({ browser }: Person) =>
  (await browser.graphql(APPS)).json.data.viewer.connectedApps.edges.map(({ node }: { node: unknown }) => node);

describe("the request, as the consent page sees it", () => {
  it("shows what is asked, what may be allowed, and what was allowed before", async () => {
    const person = await newPerson({ daily: 3_000_000n });
    const client = await createClient(stack);
    const id = await ask(person, client, { scope: "payments:sign email:read", display: "popup" });
    const first = (await person.browser.graphql(READ, { id })).json.data.authorizationRequest;
    expect(first).toMatchObject({
      requestId: id,
      isPopup: true,
      needsSignIn: false,
      needsConsent: true,
      client: { clientId: client.clientId, supportEmail: "help@app.example" },
      scopes: [{ name: "payments:sign", description: expect.any(String) }, { name: "email:read" }],
      previous: null,
      // Within the account's own 3.00 a day.
      suggestedLimits: { perTransactionLimitUsd: "5.00", dailyLimitUsd: "3.00", monthlyLimitUsd: "100.00" },
      ownLimits: { day: { limitUsd: "3.00" } },
    });
    expect(first.networks).toContain("base");
    await decide(person.browser, id, { dailyLimitUsd: "1.00", networks: ["base", "solana"] });
    expect((await person.browser.graphql(READ, { id })).json.data.authorizationRequest).toBeNull();

    const again = (await person.browser.graphql(READ, { id: await ask(person, client) })).json.data
      .authorizationRequest;
    expect(again.previous.networks).toEqual(["base", "solana"]);
    expect(again.suggestedLimits.dailyLimitUsd).toBe("1.00");
  });

  it("shows nothing of any account to nobody, to a program, and to another person nothing of the first", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const client = await createClient(stack);
    await tokensOf(stack, person.browser, client);
    const id = await ask(person, client);
    const closed = {
      needsSignIn: true,
      needsConsent: true,
      networks: [],
      previous: null,
      suggestedLimits: null,
      ownLimits: null,
    };
    expect((await browserOf(stack, null).graphql(READ, { id })).json.data.authorizationRequest).toMatchObject(closed);
    expect((await stack.graphql(person.account.token, READ, { id })).json.data.authorizationRequest).toMatchObject(
      closed,
    );
    expect((await other.browser.graphql(READ, { id })).json.data.authorizationRequest).toMatchObject({
      needsSignIn: false,
      previous: null,
    });
  });

  it("is gone after its time, and with its application", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const [late, revoked] = [await ask(person, client), await ask(person, client)];
    await db().oAuthRequest.update({ where: { id: late }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await person.browser.graphql(READ, { id: late })).json.data.authorizationRequest).toBeNull();
    expect(await decide(person.browser, late)).toMatchObject({ code: "not_found" });
    await db().oAuthClient.update({ where: { id: client.clientId }, data: { status: "revoked" } });
    expect((await person.browser.graphql(READ, { id: revoked })).json.data.authorizationRequest).toBeNull();
    expect(await decide(person.browser, revoked)).toMatchObject({ code: "not_found" });
    expect((await person.browser.graphql(READ, { id: "oar_\0" })).json.data.authorizationRequest).toBeNull();
  });
});

describe("a decision", () => {
  it.each([
    ["perTransactionLimitUsd", { perTransaction: 1_000_000n }],
    ["dailyLimitUsd", { daily: 1_000_000n }],
    ["monthlyLimitUsd", { monthly: 1_000_000n }],
  ])("never makes %s wider than the person's own", async (field, own) => {
    const person = await newPerson(own);
    const client = await createClient(stack);
    const id = await ask(person, client);
    for (const limit of ["1.000001", null]) {
      const refused = await decide(person.browser, id, { [field]: limit });
      expect(refused).toMatchObject({ __typename: "LimitExceedsOwnError", code: "limit_exceeds_own", field });
    }
    expect(await decide(person.browser, id, { [field]: "1.00" })).toMatchObject({ continueUrl: expect.any(String) });
  });

  it("names at least one network", async () => {
    const person = await newPerson();
    const id = await ask(person, await createClient(stack));
    expect(await decide(person.browser, id, { networks: [] })).toMatchObject({
      code: "invalid_request",
      field: "networks",
    });
  });

  it("is made once, whoever asks at the same moment", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const id = await ask(person, client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        decide(person.browser, id, { approve: i % 2 === 0, dailyLimitUsd: `${i + 1}` }),
      ),
    );
    const made = answers.filter(({ continueUrl }) => continueUrl !== undefined);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "not_found")).toHaveLength(19);
    const isApproved = answers.indexOf(made[0]) % 2 === 0;
    expect(await db().oAuthGrant.count({ where: { clientId: client.clientId } })).toBe(isApproved ? 1 : 0);
  });

  it("about several requests at once keeps one standing grant", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const ids = await Promise.all(Array.from({ length: 8 }, () => ask(person, client)));
    const made = await Promise.all(ids.map((id) => decide(person.browser, id)));
    expect(made.every(({ continueUrl }) => continueUrl !== undefined)).toBe(true);
    const grants = await db().oAuthGrant.findMany({ where: { clientId: client.clientId } });
    expect(grants).toHaveLength(1);
    expect(await db().budget.count({ where: { id: grants[0]?.id ?? "" } })).toBe(1);
  });

  it("comes from the person's own page alone: no token, no other site's page, no request without a session", async () => {
    const person = await newPerson();
    const id = await ask(person, await createClient(stack));
    const DECIDE = `mutation ($id: ID!) { decideAuthorization(input: { requestId: $id, approve: true }) { __typename ... on Error { code } } }`;
    const codeOf = ({
      json,
    }: {
      json: { data?: { decideAuthorization?: { code: string } }; errors?: { extensions: { code: string } }[] };
    }) => json.data?.decideAuthorization?.code ?? json.errors?.[0]?.extensions.code;
    expect(codeOf(await stack.graphql(person.account.token, DECIDE, { id }))).toBe("forbidden");
    expect(codeOf(await browserOf(stack, null).graphql(DECIDE, { id }))).toBe("unauthorized");
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]) {
      expect(codeOf(await person.browser.graphql(DECIDE, { id }, headers))).toBe("unauthorized");
    }
    expect(await db().oAuthRequest.findUniqueOrThrow({ where: { id } })).toMatchObject({ decidedAt: null });
  });
});

describe("/oauth/continue", () => {
  const decided = async (person: Person, client: TestClient, decision: object = {}, parameters = {}) =>
    (await decide(person.browser, await ask(person, client, parameters), decision)).continueUrl as string;

  it("answers once, to the browser that decided", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const url = await decided(person, client);
    const sameAccount = await signedIn(stack, person.account.accountId);
    for (const browser of [browserOf(stack, null), (await newPerson()).browser, sameAccount]) {
      const refused = await browser.navigate(url);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain("another browser");
    }
    const answers = await Promise.all(Array.from({ length: 10 }, () => person.browser.navigate(url)));
    const redirects = answers.filter(({ status }) => status === 303);
    expect(redirects).toHaveLength(1);
    expect(redirects[0]?.headers.get("cache-control")).toBe("no-store");
    expect(redirects[0]?.headers.get("referrer-policy")).toBe("no-referrer");
    const code = new URL(redirects[0]?.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect((await exchange(stack, client, code)).status).toBe(200);
  });

  it("brings a refusal too, with state and iss", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const answered = await person.browser.navigate(await decided(person, client, { approve: false }, { state: "s p" }));
    const answer = Object.fromEntries(new URL(answered.headers.get("location") ?? "").searchParams);
    expect(answer).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "s p",
      iss: stack.baseUrl,
    });
    expect(await db().oAuthGrant.count({ where: { clientId: client.clientId } })).toBe(0);
  });

  it("has no answer before the decision, nor for what never was", async () => {
    const person = await newPerson();
    const id = await ask(person, await createClient(stack));
    for (const request of [id, "oar_1_unknown", "%00", ""]) {
      expect((await person.browser.navigate(`/oauth/continue?request=${request}`)).status).toBe(400);
    }
    expect(await decide(person.browser, id)).toMatchObject({ continueUrl: expect.any(String) });
  });

  it("gives no code for what was disconnected or revoked in between", async () => {
    const person = await newPerson();
    const [client, revoked] = [await createClient(stack), await createClient(stack)];
    const [url, other] = [await decided(person, client), await decided(person, revoked)];
    const [{ id }] = (await connectedApps(person)).filter(({ grantId }: { grantId: string }) => grantId !== undefined);
    for (const app of await connectedApps(person)) await disconnect(person, app.id);
    expect(id).toBeDefined();
    const answered = await person.browser.navigate(url);
    expect(new URL(answered.headers.get("location") ?? "").searchParams.get("error")).toBe("access_denied");
    await db().oAuthClient.update({ where: { id: revoked.clientId }, data: { status: "revoked" } });
    expect((await person.browser.navigate(other)).status).toBe(400);
  });

  it("in a popup is a page that posts to the opener, with a script of its own", async () => {
    const person = await newPerson();
    const answered = await person.browser.navigate(
      await decided(person, await createClient(stack), {}, { display: "popup", state: '"><b>' }),
    );
    const text = await answered.text();
    expect(answered.status).toBe(200);
    const policy = answered.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'/);
    expect(policy).not.toContain("unsafe");
    expect(text).toContain('<script src="/oauth/opener.js" defer></script>');
    expect(text).not.toContain("<b>");
    expect(answered.headers.get("cache-control")).toBe("no-store");
    const script = await fetch(`${stack.baseUrl}/oauth/opener.js`);
    expect(script.headers.get("content-type")).toContain("javascript");
  });
});

const disconnect = async ({ browser }: Person, id: string) =>
  (
    await browser.graphql(
      `mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename ... on DisconnectAppSuccess { grant { revokedAt } } ... on Error { code } } }`,
      { id },
    )
  ).json.data.disconnectApp;

const UPDATE = `mutation ($input: UpdateGrantLimitsInput!) { updateGrantLimits(input: $input) { __typename
  ... on UpdateGrantLimitsSuccess { grant { networks spending { perTransactionLimitUsd day { limitUsd } } } }
  ... on Error { code } ... on LimitExceedsOwnError { field } } }`;
const update = async ({ browser }: Person, input: object) =>
  (await browser.graphql(UPDATE, { input })).json.data.updateGrantLimits;

describe("the limits of a grant", () => {
  it("are kept for all tokens of the application together, until the last cent and not beyond", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const tokens = await tokensOf(stack, person.browser, client, { decision: { dailyLimitUsd: "0.005" } });
    const next = (await refresh(stack, client, tokens.refresh_token)).json;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => pay(i % 2 ? tokens.access_token : next.access_token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const { json } of answers.filter(({ status }) => status !== 200)) {
      expect(json).toMatchObject({ error: "spending_limit_exceeded", limit: 0.005, remaining: 0 });
    }
    expect((await pay(person.account.token)).status).toBe(200);
    const [app] = await connectedApps(person);
    expect(app).toMatchObject({
      spending: { day: { limitUsd: "0.005", outstandingUsd: "0.005", remainingUsd: "0.00" } },
      lastUsedAt: expect.any(String),
      client: { appName: "Ledger & <Sons>", redirectHost: "app.example" },
    });
    expect(app.transactions.edges).toHaveLength(5);
  });

  it("stand beside the account's own, whatever those become", async () => {
    const person = await newPerson({ daily: 2_000n });
    const tokens = await tokensOf(stack, person.browser, await createClient(stack));
    expect((await pay(tokens.access_token, "2000")).status).toBe(200);
    expect((await pay(tokens.access_token, "1")).json.error).toBe("spending_limit_exceeded");
  });

  it("and its networks change at once, within the person's own", async () => {
    const person = await newPerson({ perTransaction: 1_000_000n });
    const tokens = await tokensOf(stack, person.browser, await createClient(stack));
    const [{ id }] = await connectedApps(person);
    expect(await update(person, { id, perTransactionLimitUsd: "1.01" })).toMatchObject({
      code: "limit_exceeds_own",
      field: "perTransactionLimitUsd",
    });
    expect(await update(person, { id, perTransactionLimitUsd: "0.0005" })).toMatchObject({
      grant: { spending: { perTransactionLimitUsd: "0.0005", day: { limitUsd: "20.00" } } },
    });
    expect((await pay(tokens.access_token)).json.error).toBe("spending_limit_exceeded");
    expect((await pay(tokens.access_token, "500")).status).toBe(200);
    expect(await update(person, { id, networks: ["solana"] })).toMatchObject({ grant: { networks: ["solana"] } });
    expect((await pay(tokens.access_token, "500")).json.error).toBe("no_acceptable_requirement");
  });

  it("are nobody else's to see or change", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await tokensOf(stack, person.browser, await createClient(stack));
    const [{ id }] = await connectedApps(person);
    expect(await connectedApps(other)).toEqual([]);
    expect(
      (await other.browser.graphql("query ($id: ID!) { node(id: $id) { id } }", { id })).json.data.node,
    ).toBeNull();
    expect(await update(other, { id, dailyLimitUsd: "1" })).toMatchObject({ code: "not_found" });
    expect(await disconnect(other, id)).toMatchObject({ code: "not_found" });
    const byToken = await stack.graphql(person.account.token, UPDATE, { input: { id, dailyLimitUsd: "1" } });
    expect(byToken.json.data.updateGrantLimits.code).toBe("forbidden");
  });
});

describe("an access token", () => {
  it("never manages the account, whatever it was granted", async () => {
    const person = await newPerson();
    const tokens = await tokensOf(stack, person.browser, await createClient(stack));
    const CREATE = `mutation { createApiToken(input: { name: "x" }) { __typename ... on Error { code } } }`;
    const { json } = await stack.graphql(null, CREATE, {}, bearer(tokens.access_token));
    expect(json.data.createApiToken.code).toBe("forbidden");
    const [{ id }] = await connectedApps(person);
    const DISCONNECT = `mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename ... on Error { code } } }`;
    expect(
      (await stack.graphql(null, DISCONNECT, { id }, bearer(tokens.access_token))).json.data.disconnectApp.code,
    ).toBe("forbidden");
  });

  it.each([
    [
      "the client",
      async (_person: Person, client: TestClient) =>
        void (await db().oAuthClient.update({ where: { id: client.clientId }, data: { strictScopes: true } })),
    ],
    [
      "the account",
      async ({ account }: Person) =>
        void (await db().account.update({ where: { id: account.accountId }, data: { strictScopes: true } })),
    ],
  ])("may call any route until %s turns strict scopes on", async (_who, turnOn) => {
    const person = await newPerson();
    const client = await createClient(stack);
    const tokens = await tokensOf(stack, person.browser, client, { parameters: { scope: "balance:read" } });
    expect((await pay(tokens.access_token)).status).toBe(200);
    await turnOn(person, client);
    const refused = await pay(tokens.access_token);
    expect(refused).toMatchObject({ status: 403, json: { error: "forbidden" } });
  });

  it("is dead at once when the person disconnects, in the middle of its payments too", async () => {
    const person = await newPerson();
    const client = await createClient(stack);
    const tokens = await tokensOf(stack, person.browser, client);
    const [{ id }] = await connectedApps(person);
    const payments = Array.from({ length: 10 }, () => pay(tokens.access_token));
    const ended = await disconnect(person, id);
    expect(ended.grant.revokedAt).not.toBeNull();
    const later = await pay(tokens.access_token);
    expect(later.status).toBe(401);
    const during = await Promise.all(payments);
    expect(during.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect((await refresh(stack, client, tokens.refresh_token)).json.error).toBe("invalid_grant");
    expect(await disconnect(person, id)).toMatchObject({ __typename: "DisconnectAppSuccess" });
    const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: client.clientId } });
    expect((await db().budget.findUniqueOrThrow({ where: { id: grant.id } })).closedAt).not.toBeNull();
    // Allowed anew it has a grant and a budget of its own.
    await tokensOf(stack, person.browser, client);
    expect(
      (await connectedApps(person)).map(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null),
    ).toEqual([true, false]);
  });

  it("that a connection was opened with stops being valid with its grant, its client and its budget", async () => {
    const { deps } = stack.service;
    const person = await newPerson();
    const stillValid = async (end: (grantId: string, clientId: string) => Promise<unknown>) => {
      const client = await createClient(stack);
      const tokens = await tokensOf(stack, person.browser, client);
      const kind = deps.tokenKinds.find(({ credentialKind }) => credentialKind === "access_token");
      const viewer = await kind?.find(deps.db, tokens.access_token);
      if (!viewer) throw new Error("It does not open the account.");
      const before = await isStillValid(deps, viewer);
      const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: client.clientId } });
      await end(grant.id, client.clientId);
      return [before, await isStillValid(deps, viewer), (await kind?.find(deps.db, tokens.access_token)) !== null];
    };
    const dead = [true, false, false];
    expect(await stillValid((id) => db().budget.update({ where: { id }, data: { closedAt: new Date() } }))).toEqual(
      dead,
    );
    expect(
      await stillValid((_id, id) => db().oAuthClient.update({ where: { id }, data: { status: "revoked" } })),
    ).toEqual(dead);
    expect(
      await stillValid((id) => db().oAuthGrant.update({ where: { id }, data: { revokedAt: new Date() } })),
    ).toEqual(dead);
  });

  it("of a narrower consent keeps its own scopes when a wider one follows", async () => {
    const person = await newPerson();
    const client = await createClient(stack, { strictScopes: true });
    const narrow = await tokensOf(stack, person.browser, client, { parameters: { scope: "balance:read" } });
    const wide = await tokensOf(stack, person.browser, client, { parameters: { scope: "payments:sign" } });
    expect((await pay(narrow.access_token)).status).toBe(403);
    expect((await pay(wide.access_token)).status).toBe(200);
    const [app] = await connectedApps(person);
    expect(app.scopes.toSorted()).toEqual(["balance:read", "payments:sign"]);
    const both = await authorizeByHand(person.browser, client, { prompt: "consent", scope: "balance:read" });
    expect((await exchange(stack, client, both.get("code") ?? "")).json.scope).toBe("balance:read");
  });
});
