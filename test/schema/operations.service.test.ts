// @module-tag postgresql
import { createClient } from "graphql-ws";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createMailbox } from "../mail/fixtures.ts";
import { ADMIN_TOKEN, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
/** Account with a mailbox. */
let mailAccount: TestAccount;
let sellerUrl: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailAccount = await stack.account();
  await createMailbox(stack, mailAccount);
  await stack.fund(account, "5000000");
  sellerUrl = stack.sandbox?.shopUrl ?? "";
});

const send = async (query: string, variables: object = {}, token: string | null = account.token) =>
  (await stack.graphql(token, query, variables)).json;
const FETCH = `mutation ($input: X402FetchInput!) { x402Fetch(input: $input) { __typename
  ... on X402FetchSuccess { status json text base64 isTruncated headers { name value }
    payment { transactionId amountPaidUsd network scheme transaction { transactionId status payTo } } }
  ... on Error { code message } ... on InvalidRequestError { field } } }`;

describe("viewer", () => {
  it("returns the account, its wallet, tokens with their spending, and transactions", async () => {
    const own = await stack.account({ limits: { dailyMicroUsd: 1_000_000n, perTransactionMicroUsd: 500_000n } });
    await send(FETCH, { input: { url: `${sellerUrl}/v1/weather` } }, own.token);
    const { data, errors } = await send(
      `{ viewer {
        account { accountId email x402Enabled spending { day { limitUsd } } }
        wallet { evmAddress solanaAddress creditUsd balance { network usdc { amount } } balances { network usdc { amount } } }
        apiToken { tokenId hint }
        apiTokens { edges { node { name spending { perTransactionLimitUsd
          day { limitUsd settledUsd outstandingUsd remainingUsd } } } } }
        transactions(filter: { types: [X402] }) { edges { node { type status amountUsd network } } }
      } }`,
      {},
      own.token,
    );
    expect(errors).toBeUndefined();
    const { viewer } = data;
    expect(viewer.account).toMatchObject({
      accountId: own.accountId,
      x402Enabled: true,
      spending: { day: { limitUsd: null } },
    });
    expect(viewer.wallet).toMatchObject({
      creditUsd: "4.99",
      balance: { network: "base-sepolia", usdc: { amount: "0.000000" } },
    });
    expect(viewer.apiToken).toEqual({ tokenId: own.tokenId, hint: own.token.slice(-4) });
    const [{ node }] = viewer.apiTokens.edges;
    expect(node.spending).toMatchObject({
      perTransactionLimitUsd: "0.50",
      day: { limitUsd: "1.00", remainingUsd: "0.99" },
    });
    expect(viewer.transactions.edges[0].node).toMatchObject({
      type: "X402",
      amountUsd: "0.01",
      network: "base-sepolia",
    });
  });

  it("is null with the error code unauthorized, without a credential", async () => {
    const { data, errors } = await send("{ viewer { account { id } } }", {}, null);
    expect(data).toEqual({ viewer: null });
    expect(errors[0].extensions.code).toBe("unauthorized");
  });

  it("reads the spending of a page of tokens with one statement", async () => {
    const own = await stack.account();
    for (let i = 0; i < 5; i++) await create(own.token, { name: `t${i}` });
    const { db } = stack.service.deps;
    const statements: string[] = [];
    const { query } = db;
    Object.assign(db, {
      query: (statement: { name: string }, values: unknown[]) => {
        statements.push(statement.name);
        return query(statement as never, values);
      },
    });
    const { data } = await send(
      "{ viewer { apiTokens { edges { node { spending { day { settledUsd } } } } } } }",
      {},
      own.token,
    );
    Object.assign(db, { query });
    expect(data.viewer.apiTokens.edges).toHaveLength(6);
    expect(statements.filter((name) => name === "spending")).toHaveLength(1);
  });

  it("rejects page lengths outside 0 to 100 and invalid cursors, and names the argument", async () => {
    for (const [args, field] of [
      ["first: 101", "first"],
      ['after: "x"', "after"],
      ["last: -1", "last"],
    ]) {
      const { errors } = await send(`{ viewer { transactions(${args}) { edges { cursor } } } }`);
      expect(errors[0].extensions, args).toMatchObject({ code: "invalid_request", field });
    }
  });

  it.each(["sessions", "passkeys", "webhooks", "events", "mailbox { drafts", "mailbox { threads"])(
    "%s rejects a cursor of a deleted item and names the argument",
    async (list) => {
      const gone = Buffer.from("GPC:S:any_1_gone").toString("base64");
      const end = list.includes("{") ? "}" : "";
      const { errors } = await send(
        `query ($after: String) { viewer { ${list}(after: $after) { edges { cursor } } ${end} } }`,
        { after: gone },
        mailAccount.token,
      );
      expect(errors?.[0].extensions).toMatchObject({ code: "invalid_request", field: "after" });
    },
  );

  it("rejects pagination arguments that exclude each other", async () => {
    const { data } = await send("{ viewer { apiTokens { pageInfo { endCursor } } } }");
    const cursor = JSON.stringify(data.viewer.apiTokens.pageInfo.endCursor);
    for (const [args, field] of [
      ["first: 1, last: 1", "last"],
      [`first: 1, before: ${cursor}`, "before"],
      [`last: 1, after: ${cursor}`, "last"],
      [`after: ${cursor}, before: ${cursor}`, "before"],
    ]) {
      const { errors } = await send(`{ viewer { apiTokens(${args}) { edges { cursor } } } }`);
      expect(errors[0].extensions, args).toMatchObject({ code: "invalid_request", field });
      expect(errors[0].message, args).toContain(`${field} cannot be combined with `);
    }
    for (const args of ["first: 1, last: null, before: null", `last: 1, before: ${cursor}, first: null`]) {
      const { errors } = await send(`{ viewer { apiTokens(${args}) { edges { cursor } } } }`);
      expect(errors, args).toBeUndefined();
    }
  });

  it("rejects an operation above the complexity limit, with and without a credential", async () => {
    const page = (alias: string) =>
      `${alias}: transactions(first: 100) { edges { node { ${"id type status direction network amount { amount atomic decimals symbol asset network } authorized { atomic } amountUsd feeUsd scheme resource payTo description txHash explorerUrl createdAt"} } } }`;
    const expensive = [
      `{ viewer { ${page("a")} ${page("b")} ${page("c")} } }`,
      `{ merchants(first: 100) { edges { node { catalogue { sku title } } } } }`,
    ];
    for (const query of expensive) {
      for (const token of [account.token, null]) {
        const [error] = (await send(query, {}, token)).errors;
        expect(error.extensions).toMatchObject({ code: "OPERATION_LIMIT_EXCEEDED", limit: 5_000 });
      }
    }
    expect((await send(`{ viewer { ${page("a")} } }`)).errors).toBeUndefined();
  });
});

it("a node is readable by its global id, only by its owner", async () => {
  const own = await stack.account();
  const ids = (
    await send("{ viewer { account { id } apiToken { id } transactions { edges { node { id } } } } }", {}, own.token)
  ).data.viewer;
  const all = [ids.account.id, ids.apiToken.id, ids.transactions.edges[0].node.id];
  const NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }";
  const found = await send(NODES, { ids: all }, own.token);
  expect(found.data.nodes.map(({ __typename }: { __typename: string }) => __typename)).toEqual([
    "Account",
    "ApiToken",
    "Transaction",
  ]);
  expect((await send(NODES, { ids: all })).data.nodes).toEqual([null, null, null]);
  expect(
    (await send("query ($id: ID!) { node(id: $id) { id } }", { id: all[0] }, null)).errors[0].extensions.code,
  ).toBe("unauthorized");
});

it("objects are readable by their own id and by their global id, only by their owner", async () => {
  const own = await stack.account();
  const { viewer } = (
    await send(
      "{ viewer { apiToken { id tokenId } transactions(first: 1) { edges { node { id transactionId } } } } }",
      {},
      own.token,
    )
  ).data;
  const [{ node: transaction }] = viewer.transactions.edges;
  const LOOK_UP = `query ($token: ID!, $transaction: ID!) {
    apiToken(id: $token) { tokenId } transaction(id: $transaction) { transactionId } }`;
  const { tokenId } = viewer.apiToken;
  const { transactionId } = transaction;
  const byOwnId = { token: tokenId, transaction: transactionId };
  const found = { apiToken: { tokenId }, transaction: { transactionId } };
  expect((await send(LOOK_UP, byOwnId, own.token)).data).toEqual(found);
  expect((await send(LOOK_UP, { token: viewer.apiToken.id, transaction: transaction.id }, own.token)).data).toEqual(
    found,
  );
  expect((await send(LOOK_UP, byOwnId)).data).toEqual({ apiToken: null, transaction: null });
  const unknown = `{ trade(id: "trd_0") { id } purchaseToken(id: "pt_0") { id } oauthClient(id: "cl_0") { id }
    oauthGrant(id: "grt_0") { id } session(id: "ses_0") { id } passkey(id: "0123456789abcdef") { id } }`;
  const { data } = await send(unknown, {}, own.token);
  expect(new Set(Object.values(data))).toEqual(new Set([null]));
  const [wrong] = (await send('{ trade(id: "tok_0") { id } }', {}, own.token)).errors;
  expect(wrong.extensions).toMatchObject({ code: "invalid_request", field: "id" });
});

const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { __typename
  ... on CreateApiTokenSuccess { secret token { id name networks scopes spending { perTransactionLimitUsd day { limitUsd } } } }
  ... on Error { code message } ... on InvalidRequestError { field } ... on LimitExceedsOwnError { field ownUsd } } }`;
const create = async (token: string, input: object) => (await send(CREATE, { input }, token)).data?.createApiToken;

describe("API tokens", () => {
  it("are created with limits, accepted, and rejected after they are revoked", async () => {
    const created = await create(account.token, { name: "agent", dailyLimitUsd: "2.5", networks: ["base-sepolia"] });
    expect(created).toMatchObject({
      __typename: "CreateApiTokenSuccess",
      token: { networks: ["base-sepolia"], spending: { perTransactionLimitUsd: null, day: { limitUsd: "2.50" } } },
    });
    expect((await stack.rest(created.secret, "GET", "/api/balance")).status).toBe(200);
    const REVOKE = `mutation ($input: RevokeApiTokenInput!) { revokeApiToken(input: $input) { __typename
      ... on RevokeApiTokenSuccess { token { revokedAt } viewer { apiTokens(first: 2, filter: { statuses: [REVOKED] }) {
        edges { node { name } } } } } ... on Error { code } } }`;
    const other = await stack.account();
    expect((await send(REVOKE, { input: { id: created.token.id } }, other.token)).data.revokeApiToken.code).toBe(
      "NOT_FOUND",
    );
    const { revokeApiToken } = (await send(REVOKE, { input: { id: created.token.id } })).data;
    expect(revokeApiToken.token.revokedAt).toEqual(expect.any(String));
    expect(revokeApiToken.viewer.apiTokens.edges).toEqual([{ node: { name: "agent" } }]);
    expect((await stack.rest(created.secret, "GET", "/api/balance")).status).toBe(401);
  });

  it("have at most the limits and scopes of the token that creates them", async () => {
    const narrow = await stack.account({ limits: { dailyMicroUsd: 1_000_000n } });
    expect(await create(narrow.token, { name: "wide", dailyLimitUsd: "2" })).toMatchObject({
      code: "LIMIT_EXCEEDS_OWN",
      field: "dailyLimitUsd",
      ownUsd: "1.00",
    });
    const plain = await create(account.token, { name: "no manager" });
    expect(await create(plain.secret, { name: "child" })).toMatchObject({ code: "FORBIDDEN" });
    expect(await create(account.token, { name: "" })).toMatchObject({ code: "INVALID_REQUEST", field: "name" });
    const unknown = await send(CREATE, { input: { name: "x", scopes: ["EVERYTHING"] } });
    expect(unknown.errors[0].message).toContain('does not exist in "Scope" enum');
  });
});

it("X402 can be enabled and disabled", async () => {
  const own = await stack.account({ x402: false });
  const SET = `mutation ($input: SetX402EnabledInput!) { setX402Enabled(input: $input) { ... on SetX402EnabledSuccess { account { x402Enabled } } } }`;
  const set = async (enabled: boolean) =>
    (await send(SET, { input: { enabled } }, own.token)).data.setX402Enabled.account.x402Enabled;
  const pay = async () => (await send(FETCH, { input: { url: `${sellerUrl}/v1/weather` } }, own.token)).data.x402Fetch;
  expect(await pay()).toMatchObject({ code: "X402_NOT_ENABLED" });
  expect(await set(true)).toBe(true);
  expect(await pay()).toMatchObject({ status: 200 });
  expect(await set(false)).toBe(false);
});

it("only the operator creates accounts", async () => {
  const CREATE_ACCOUNT = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename
    ... on CreateAccountSuccess { secret account { email spending { day { limitUsd } } } } ... on Error { code } ... on InvalidRequestError { field } } }`;
  const input = { email: "new@example.test", dailyLimitUsd: "7" };
  const { createAccount } = (await send(CREATE_ACCOUNT, { input }, ADMIN_TOKEN)).data;
  expect(createAccount).toMatchObject({ account: { email: input.email, spending: { day: { limitUsd: "7.00" } } } });
  // The secret of the first token authenticates the owner.
  const owner = await send(
    "{ viewer { account { email } apiToken { spending { day { limitUsd } } } } }",
    {},
    createAccount.secret,
  );
  expect(owner.data.viewer).toMatchObject({
    account: { email: input.email },
    apiToken: { spending: { day: { limitUsd: "7.00" } } },
  });
  expect((await send(CREATE_ACCOUNT, { input }, ADMIN_TOKEN)).data.createAccount).toMatchObject({ field: "email" });
  expect((await send(CREATE_ACCOUNT, { input })).data.createAccount).toMatchObject({ code: "FORBIDDEN" });
});

describe("payments", () => {
  it("x402Fetch pays and returns the response", async () => {
    const { x402Fetch } = (
      await send(FETCH, {
        input: { url: `${sellerUrl}/v1/weather`, headers: [{ name: "Accept", value: "application/json" }] },
      })
    ).data;
    expect(x402Fetch).toMatchObject({
      status: 200,
      json: { place: "Porto" },
      isTruncated: false,
      payment: { amountPaidUsd: "0.01", network: "base-sepolia", scheme: "EXACT" },
    });
    expect(JSON.parse(Buffer.from(x402Fetch.base64, "base64").toString())).toEqual(x402Fetch.json);
    expect(x402Fetch.payment.transaction.transactionId).toBe(x402Fetch.payment.transactionId);
  });

  it("x402Fetch truncates long bodies and reports it", async () => {
    const { x402Fetch } = (
      await send(
        `mutation ($input: X402FetchInput!) { x402Fetch(input: $input) { ... on X402FetchSuccess { isTruncated base64 } } }`,
        { input: { url: `${sellerUrl}/free/stream?bytes=6000000` } },
      )
    ).data;
    expect(x402Fetch.isTruncated).toBe(true);
    expect(Buffer.from(x402Fetch.base64, "base64")).toHaveLength(4 * 1024 * 1024);
  });

  it("x402Fetch requires a credential and valid headers", async () => {
    expect((await send(FETCH, { input: { url: `${sellerUrl}/free` } }, null)).errors[0].extensions.code).toBe(
      "unauthorized",
    );
    const split = { url: `${sellerUrl}/free`, headers: [{ name: "x", value: "a\r\nb: c" }] };
    expect((await send(FETCH, { input: split })).data.x402Fetch).toMatchObject({
      code: "INVALID_REQUEST",
      field: "headers[0].value",
    });
  });

  it("x402Requirements explains each offer and pays nothing", async () => {
    const countRows = () => stack.service.deps.db.prisma.transaction.count({ where: { accountId: account.accountId } });
    const before = await countRows();
    const { x402Requirements } = (
      await send(
        `query ($url: Url!) { x402Requirements(url: $url) { ... on X402RequirementsSuccess { free status
        chosen { index amountUsd scheme } offers { index chosen refusal explanation } } } }`,
        { url: `${sellerUrl}/multi` },
      )
    ).data;
    expect(x402Requirements).toMatchObject({ free: false, status: 402 });
    const { chosen, offers } = x402Requirements;
    expect(
      offers.filter((offer: { chosen: boolean }) => offer.chosen).map(({ index }: { index: number }) => index),
    ).toEqual([chosen.index]);
    for (const offer of offers) expect(offer.refusal === null).toBe(offer.chosen);
    expect(await countRows()).toBe(before);
  });

  it("an operation can move money only once", async () => {
    const field = (alias: string) => `${alias}: x402Fetch(input: { url: "${sellerUrl}/free" }) { __typename }`;
    expect((await send(`mutation { ${field("a")} ${field("b")} }`)).errors[0].extensions.code).toBe(
      "OPERATION_LIMIT_EXCEEDED",
    );
  });

  it("sendTokens withdraws once per idempotency key", async () => {
    const to = "0x00000000000000000000000000000000DeaDBeef";
    const SEND = `mutation ($input: SendTokensInput!) { sendTokens(input: $input) { __typename
      ... on SendTokensSuccess { transaction { transactionId type status amount { amount symbol asset } payTo } } ... on Error { code message } ... on InvalidRequestError { field } } }`;
    const input = { network: "base-sepolia", to, amount: "1.25", idempotencyKey: "withdraw-1" };
    const first = (await send(SEND, { input })).data.sendTokens;
    expect(first).toMatchObject({
      transaction: { type: "TRANSFER", amount: { amount: "1.250000", symbol: "USDC" }, payTo: to },
    });
    const repeated = (await send(SEND, { input })).data.sendTokens;
    expect(repeated.transaction.transactionId).toBe(first.transaction.transactionId);
    await expect
      .poll(async () => (await stack.rest(account.token, "GET", "/api/balance")).json.usdcBalance)
      .toBe("3.750000");
    const other = { ...input, idempotencyKey: null };
    expect((await send(SEND, { input: { ...other, amount: "0" } })).data.sendTokens).toMatchObject({ field: "amount" });
    expect((await send(SEND, { input: { ...other, amount: "-1" } })).data.sendTokens).toMatchObject({
      field: "amount",
    });
  });
});

it("payloads of payments contain the wallet and the caller after the payment", async () => {
  const own = await stack.account();
  const PAID = `mutation ($input: X402FetchInput!) { x402Fetch(input: $input) { ... on X402FetchSuccess {
    wallet { id creditUsd } viewer { id account { spending { day { settledUsd outstandingUsd } } } } } } }`;
  const { wallet, viewer } = (await send(PAID, { input: { url: `${sellerUrl}/v1/weather` } }, own.token)).data
    .x402Fetch;
  expect(wallet).toEqual({ id: expect.any(String), creditUsd: "4.99" });
  const { settledUsd, outstandingUsd } = viewer.account.spending.day;
  expect(Number(settledUsd) + Number(outstandingUsd)).toBe(0.01);
  const { data } = await send("{ viewer { id wallet { id } } }", {}, own.token);
  expect(data.viewer).toEqual({ id: viewer.id, wallet: { id: wallet.id } });
});

describe("transactionUpdated", () => {
  const SUBSCRIBE =
    "subscription ($after: String) { transactionUpdated(after: $after) { cursor transaction { transactionId status } } }";
  type Update = { cursor: string; transaction: { transactionId: string; status: string } };

  function watch(token: string, after: string | null = null) {
    const client = createClient({
      url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": token },
      retryAttempts: 0,
    });
    const updates: Update[] = [];
    const connected = new Promise<void>((resolve) => client.on("connected", () => resolve()));
    const stop = client.subscribe<{ transactionUpdated: Update }>(
      { query: SUBSCRIBE, variables: { after } },
      { next: ({ data }) => void (data && updates.push(data.transactionUpdated)), error: () => {}, complete: () => {} },
    );
    return {
      updates,
      connected,
      stop: async () => {
        stop();
        await client.dispose();
      },
    };
  }
  const pay = (token: string) => send(FETCH, { input: { url: `${sellerUrl}/v1/weather` } }, token);

  it("publishes every change, and missed changes after a reconnect", async () => {
    const own = await stack.account();
    const live = watch(own.token);
    await live.connected;
    // The subscription is active once it publishes a payment.
    await expect.poll(async () => pay(own.token).then(() => live.updates.length), { interval: 300 }).toBeGreaterThan(0);
    await expect.poll(() => live.updates.map(({ transaction }) => transaction.status)).toContain("SETTLED");
    await live.stop();
    const last = live.updates.at(-1);
    const missed = (await pay(own.token)).data.x402Fetch.payment.transactionId;
    const resumed = watch(own.token, last?.cursor);
    await expect.poll(() => resumed.updates.map(({ transaction }) => transaction.transactionId)).toContain(missed);
    expect(resumed.updates.map(({ cursor }) => cursor)).not.toContain(last?.cursor);
    await resumed.stop();
  });

  it("resumes from the list before the first event, with filters, as does balanceUpdated", async () => {
    const own = await stack.account();
    const LIST = "{ viewer { transactions(first: 1) { updatesCursor } } }";
    const after = (await send(LIST, {}, own.token)).data.viewer.transactions.updatesCursor;
    const { transactionId } = (await pay(own.token)).data.x402Fetch.payment;
    await pay((await stack.account()).token);
    const first = async (query: string, variables: object = {}) => {
      const client = createClient({
        url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { "X-Service-Token": own.token },
        retryAttempts: 0,
      });
      const { value } = await client.iterate({ query, variables: { after, ...variables } }).next();
      await client.dispose();
      return value.data;
    };
    const SETTLED = `subscription ($after: String, $id: ID) { transactionUpdated(after: $after, id: $id, types: [X402],
      statuses: [SETTLED], networks: ["base-sepolia"]) { transaction { transactionId status } } }`;
    const settled = { transactionUpdated: { transaction: { transactionId, status: "SETTLED" } } };
    expect(await first(SETTLED)).toEqual(settled);
    expect(await first(SETTLED, { id: transactionId })).toEqual(settled);
    const BALANCE = `subscription ($after: String) { balanceUpdated(after: $after) { wallet { creditUsd }
      account { accountId spending { day { remainingUsd } } } } }`;
    expect(await first(BALANCE)).toEqual({
      balanceUpdated: {
        wallet: { creditUsd: "4.99" },
        account: { accountId: own.accountId, spending: { day: { remainingUsd: null } } },
      },
    });
  });

  it.each(["transactionUpdated", "tradeUpdated"])("%s rejects unknown and foreign ids at once", async (field) => {
    const isTrade = field === "tradeUpdated";
    const foreign = (await pay((await stack.account()).token)).data.x402Fetch.payment.transactionId;
    const ids = isTrade ? ["trd_1790000000000_unknown"] : ["tx_1790000000000_unknown", foreign];
    for (const id of ids) {
      const query = `subscription ($id: ID!) { ${field}(id: $id) { cursor } }`;
      const { text } = await stack.graphql(account.token, query, { id }, { accept: "text/event-stream" });
      expect(text).toContain('"not_found"');
    }
  });

  it("publishes nothing of other accounts", async () => {
    const other = watch((await stack.account()).token);
    await other.connected;
    const own = await stack.account();
    const owner = watch(own.token);
    await expect
      .poll(async () => pay(own.token).then(() => owner.updates.length), { interval: 300 })
      .toBeGreaterThan(0);
    expect(other.updates).toEqual([]);
    await Promise.all([other.stop(), owner.stop()]);
  });
});
