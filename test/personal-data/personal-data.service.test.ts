// @module-tag postgresql
/** Export and deletion of an account with a row in every table of the plan. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { assertNoDeletion } from "../../src/accounts/freeze/deletion-freeze.ts";
import { freezeAccount, unfreezeAccount } from "../../src/accounts/freeze/freeze-account.ts";
import { findFreeze } from "../../src/accounts/freeze/freeze-state.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import { advanceAgent } from "../../src/agents/register-agent.ts";
import { sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { closeAccount } from "../../src/personal-data/deletion/close-account.ts";
import { runDeletions } from "../../src/personal-data/deletion/run-deletions.ts";
import { deleteExpiredExports, runExports } from "../../src/personal-data/export/run-exports.ts";
import { PLAN } from "../../src/personal-data/plan.ts";
import { type Columns, readColumns } from "../../src/personal-data/table-rows.ts";
import { newId } from "../../src/platform/ids.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { HOME } from "../checkout/account-owner.ts";
import { addMerchant, addOrder, addSealedCard } from "../checkout/orders/order-rows.ts";
import { type BrowserClient, createBrowserClient, signInByEmail } from "../support/browser-client.ts";
import { type MailServer, openMailServer, waitForEmail } from "../support/mail-server.ts";
import { enforceRules } from "../support/retention.ts";
import { ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";
import { fillTables, findTexts } from "./account-rows.ts";

const DAY_MS = 86_400_000;

let stack: OwnStack;
let mail: MailServer;
let closeMail = async () => {};
let columns: Columns;
let owner: BrowserClient;
let accountId: string;
let email: string;
let mark: string;
let ownerCount = 0;

beforeAll(async () => {
  mail = await openMailServer({
    closeWith: (close) => {
      closeMail = close;
    },
  });
  stack = await startStack({
    networks: ["base-sepolia"],
    env: { SMTP_URL: mail.url, AGENT_MAIL_DOMAIN: "agents.example" },
  });
  columns = await readColumns(stack.service.deps.db);
});
afterAll(async () => {
  await stack.stop();
  await closeMail();
});
beforeEach(async () => {
  ownerCount += 1;
  mark = `Lovelace${ownerCount}`;
  email = `ada.${mark.toLowerCase()}@people.example`;
  owner = createBrowserClient(stack.baseUrl);
  ({ accountId } = (await signInByEmail(owner, mail, email)).viewer.account);
});

const prisma = () => stack.service.deps.db.prisma;
const OPERATOR = { kind: "operator", expiresAtMs: null } as const;
const NOT_FROZEN = { frozenAt: null, frozenBy: null, freezeReason: null };
const ERROR = "... on Error { code message }";
const requestExport = async () =>
  (
    await owner.graphql(`mutation { requestAccountExport { __typename
      ... on RequestAccountExportSuccess { accountExport { exportId status } } ${ERROR} } }`)
  ).requestAccountExport;
const readExports = async () =>
  (
    await owner.graphql(`{ viewer { accountExports(first: 5) { edges { node {
      exportId status rowsDone rowsTotal sizeBytes downloadUrl expiresAt } } } } }`)
  ).viewer.accountExports.edges.map(({ node }: { node: unknown }) => node);
const requestDeletion = async (acknowledgedBalances: readonly object[] = []) =>
  (
    await owner.graphql(
      `mutation ($input: RequestAccountDeletionInput!) { requestAccountDeletion(input: $input) { __typename
      ... on RequestAccountDeletionSuccess { accountDeletion { status dueAt } }
      ... on BalancesRemainError { balances { network asset symbol atomic } } ${ERROR} } }`,
      { input: { acknowledgedBalances } },
    )
  ).requestAccountDeletion;
const cancelDeletion = async () =>
  (
    await owner.graphql(`mutation { cancelAccountDeletion { __typename
      ... on CancelAccountDeletionSuccess { accountDeletion { status } } ${ERROR} } }`)
  ).cancelAccountDeletion;
const findDeletion = () => prisma().accountDeletion.findFirstOrThrow({ where: { accountId, cancelledAt: null } });
/** Makes a waiting deletion due and executes it. */
async function runNow(): Promise<void> {
  await prisma().accountDeletion.updateMany({
    where: { accountId, completedAt: null, cancelledAt: null },
    data: { nextAttemptAt: new Date(0) },
  });
  await runDeletions(stack.service.deps);
}
/** Executes the deletion until it waits for nothing but an email that is being sent. */
const runUntilSettled = () =>
  expect
    .poll(
      async () => {
        await runNow();
        return (await findDeletion()).waitingFor;
      },
      { timeout: 30_000 },
    )
    .not.toBe("an email to the account owner");
const fill = () => fillTables(stack.service.deps, columns, { accountId, mark });

describe("the plan", () => {
  it("has every table and every column of the database", async () => {
    const inPlan = PLAN.map(({ table, exported, withheld }) => [table, [...exported, ...Object.keys(withheld)].sort()]);
    const inDatabase = [...columns].map(([table, list]) => [table, list.map(({ name }) => name).sort()]);
    // A new table or column: add it to src/personal-data/plan/.
    expect(Object.fromEntries(inPlan)).toEqual(Object.fromEntries(inDatabase));
    expect(inPlan.length).toBe(inDatabase.length);
  });

  it("exports no hash, ciphertext or key", () => {
    const secret = /hash$|sealed|wrapped|kek_id|^raw_transaction$|^bytes$|fingerprint/;
    const exported = PLAN.flatMap(({ table, exported: names }) => names.map((name) => `${table}.${name}`));
    const isPublic = [
      "chain_transfers.tx_hash",
      "transactions.tx_hash",
      "transactions.claimed_tx_hash",
      "mail_usage.bytes",
    ];
    expect(exported.filter((name) => secret.test(name.split(".")[1] ?? "") && !isPublic.includes(name))).toEqual([
      "evm_transactions.tx_hash",
      "agent_transactions.tx_hash",
    ]);
  });
});

describe("an export", () => {
  it("contains the rows of every table, attachments, evidence and addresses, and no secret", async () => {
    await fill();
    const { accountExport } = await requestExport();
    expect(accountExport.status).toBe("PENDING");
    expect((await requestExport()).code).toBe("EXPORT_LIMIT");
    await expect
      .poll(
        async () => {
          await runExports(stack.service.deps);
          return (await readExports())[0].status;
        },
        { timeout: 30_000 },
      )
      .toBe("COMPLETED");
    const [completed] = await readExports();
    expect(completed.rowsDone).toBe(completed.rowsTotal);
    const sealed = await prisma().accountExportChunk.findFirstOrThrow({ where: { exportId: completed.exportId } });
    expect(Buffer.from(sealed.sealedBytes).subarray(0, 2).toString("hex")).not.toBe("1f8b");

    const response = await fetch(completed.downloadUrl, { headers: { cookie: owner.cookieHeader() } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="satchel-export-[\d-]+\.tar\.gz"$/,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const files = extract(Buffer.from(await response.arrayBuffer()));
    for (const { table, exported, owner: condition } of PLAN) {
      if (condition === null || exported.length === 0) continue;
      const lines = files.get(`tables/${table}.jsonl`)?.trim().split("\n") ?? [];
      expect(lines.length, table).toBeGreaterThan(0);
      if (table === "account_deletions") continue;
      expect(Object.keys(JSON.parse(lines[0] || "null") ?? {}).sort(), table).toEqual([...exported].sort());
    }
    const attachment = await prisma().mailAttachment.findFirstOrThrow({ where: { accountId } });
    expect(files.get(`attachments/${attachment.id}`)).toBe(`mail_attachment_chunks-bytes-${mark}`);
    const artifact = await prisma().checkoutArtifact.findFirstOrThrow({ where: { order: { accountId } } });
    expect(files.get(`evidence/${artifact.id}.bin`)).toBe(`checkout_artifacts-bytes-${mark}`);
    const order = await prisma().checkoutOrder.findFirstOrThrow({ where: { accountId } });
    expect(files.get(`addresses/${order.id}.json`)).toContain(mark);
    const everything = [...files.values()].join("\n");
    for (const withheld of ["token_hash", "sealed_card", "secret_hash", "holder_key"]) {
      expect(everything).not.toContain(`${withheld}-${mark}`);
    }

    const { cookies } = owner;
    const other = createBrowserClient(stack.baseUrl);
    await signInByEmail(other, mail, `other${ownerCount}@people.example`);
    const path = new URL(completed.downloadUrl).pathname;
    expect((await other.request(path)).json.error).toBe("not_found");
    const session = { where: { accountId }, data: { authenticatedAt: new Date(Date.now() - 11 * 60_000) } };
    await prisma().session.updateMany(session);
    expect(cookies.size).toBeGreaterThan(0);
    expect((await owner.request(path)).json.error).toBe("reauthentication_required");
    expect((await requestExport()).code).toBe("REAUTHENTICATION_REQUIRED");

    await prisma().accountExport.updateMany({ where: { accountId }, data: { expiresAt: new Date(0) } });
    await deleteExpiredExports(stack.service.deps.db);
    expect(await prisma().accountExportChunk.count({ where: { exportId: completed.exportId } })).toBe(0);
  });

  it("starts again after an interruption, without the chunks of the first attempt", async () => {
    const { accountExport } = await requestExport();
    const { deps } = stack.service;
    const query: typeof deps.db.query = (statement, values) => {
      if (statement.name === "end-account-export") throw new Error("The process was killed.");
      return deps.db.query(statement, values);
    };
    const claim = { where: { id: accountExport.exportId }, data: { leasedUntil: new Date(0) } };
    await prisma().accountExport.updateMany(claim);
    await runExports({ ...deps, db: { ...deps.db, query } });
    await prisma().accountExport.updateMany({ ...claim, where: { ...claim.where, endedAt: null } });
    await runExports(deps);
    const row = await prisma().accountExport.findUniqueOrThrow({ where: { id: accountExport.exportId } });
    expect(row.status).toBe("completed");
    const chunks = await prisma().accountExportChunk.findMany({
      where: { exportId: row.id },
      select: { attempt: true },
    });
    expect(new Set(chunks.map(({ attempt }) => attempt))).toEqual(new Set([row.attempt]));
  });
});

describe("a deletion", () => {
  it("erases the account from the whole database, except what the plan retains", async () => {
    await fill();
    expect((await requestDeletion()).accountDeletion.status).toBe("SCHEDULED");
    await waitForEmail(mail, email);
    await runUntilSettled();
    expect((await findDeletion()).status).toBe("completed");
    await expect(owner.graphql("{ viewer { account { email } } }")).rejects.toThrow("unauthorized");
    expect(await findTexts(stack.service.deps.db, [email])).toEqual([]);
    expect((await findTexts(stack.service.deps.db, [mark])).filter((place) => !RETAINED.has(place))).toEqual([]);
    const wallet = await prisma().wallet.findUniqueOrThrow({ where: { accountId } });
    expect(wallet.sealedKeys.length).toBe(0);
    const client = await prisma().oAuthClient.findFirstOrThrow({ where: { accountId } });
    expect(client).toMatchObject({ status: "revoked", accountId, responsibleName: "", contactEmails: [] });
    const resource = (await prisma().transaction.findFirstOrThrow({ where: { accountId, type: "x402" } })).resource;
    expect(resource).toBe("https://shop.example");

    const again = createBrowserClient(stack.baseUrl);
    const { viewer, isNewAccount } = await signInByEmail(again, mail, email);
    expect(isNewAccount).toBe(true);
    expect(viewer.account.accountId).not.toBe(accountId);
    const credit = await prisma().credit.findUniqueOrThrow({ where: { accountId: viewer.account.accountId } });
    expect(credit).toMatchObject({ availableMicroUsd: 0n, grantedAt: null });
  });

  it("removes the wallet from the agent's public file, also if a node concludes the agent's steps meanwhile", async () => {
    const { deps } = stack.service;
    await ensureAgent(deps, accountId);
    const findAgent = () => prisma().agent.findUniqueOrThrow({ where: { accountId } });
    await expect.poll(findAgent, { timeout: 30_000 }).toMatchObject({ isWalletLinked: true, nextCheckAt: null });
    const { id } = await findAgent();
    const readFile = async () => await (await fetch(`${stack.baseUrl}/agents/${id}/registration.json`)).json();
    expect(JSON.stringify(await readFile())).toContain("did:pkh:");
    await requestDeletion();
    await waitForEmail(mail, email);
    const data = { checkAttempts: { increment: 1 }, nextCheckAt: new Date(Date.now() + 60_000) };
    const claimed = await prisma().agent.update({ where: { id }, data });
    let concluded: readonly unknown[] | null = null;
    const query: typeof deps.db.query = async (statement, values) => {
      if (statement.name !== "agent-concluded") return await deps.db.query(statement, values);
      const deletion = await findDeletion();
      await expect.poll(() => closeAccount(deps, deletion).catch(() => false)).toBe(true);
      const rows = await deps.db.query(statement, values);
      concluded = rows;
      return rows as never;
    };
    await advanceAgent({ ...deps, db: { ...deps.db, query } }, claimed);
    await runUntilSettled();
    expect((await findDeletion()).status).toBe("completed");
    expect(await readFile()).toMatchObject({ active: false, services: [], registrations: [expect.any(Object)] });
    expect(concluded).toEqual([]);
    await expect.poll(findAgent, { timeout: 30_000 }).toMatchObject({ isWalletLinked: false, nextCheckAt: null });
  });

  it("leaves a record of a charged order without name and address, until disputes are no longer possible", async () => {
    const { deps } = stack.service;
    const { db, keks } = deps;
    const identity = { id: newId("ord"), accountId };
    const sealed = await sealDeliveryAddress(keks, identity, checkShipTo({ ...HOME, lastName: mark }));
    const [merchantId, cardId] = [await addMerchant(db), await addSealedCard(db, keks, accountId)];
    const endedAt = new Date(Date.now() - 500 * DAY_MS);
    const charge = {
      amountChargedMinor: 2_895n,
      merchantOrderNumber: "H-7",
      submittedAt: endedAt,
      completedAt: endedAt,
    };
    await addOrder(db, accountId, {
      ...{ ...identity, merchantId, cardId, ...sealed, ...charge, status: "succeeded", userPrompt: `For ${mark}` },
      shipToEcho: { recipient: mark },
      merchantResponse: { order_number: "H-7", text_excerpt: `Dear ${mark}`, confirmation_url: null },
    });
    const { id: unchargedId } = await addOrder(db, accountId, { status: "failed", completedAt: endedAt });
    await requestDeletion();
    await runUntilSettled();
    expect((await findDeletion()).status).toBe("completed");
    expect(await prisma().checkoutOrder.count({ where: { accountId } })).toBe(0);
    expect(await findTexts(db, [mark])).toEqual([]);
    const [record, ...others] = await prisma().orderRecord.findMany({ where: { accountId } });
    expect(others.map(({ id }) => id)).not.toContain(unchargedId);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      ...{ id: identity.id, merchantName: "Shop", amountMinor: 2_895n, amountChargedMinor: 2_895n, currency: "GBP" },
      ...{ merchantOrderNumber: "H-7", cardBrand: "visa", cardLast4: "4242", submittedAt: endedAt, endedAt },
    });
    const evidence = record?.evidence as { signature: string; bundle_sha256: string; removed: { members: string[] } };
    expect(evidence.removed.members).toEqual(expect.arrayContaining(["request.user_prompt", "ship_to"]));
    const keySet = createRemoteJWKSet(new URL("/.well-known/mandate-keys.json", stack.baseUrl));
    expect((await jwtVerify(evidence.signature, keySet)).payload).toMatchObject({
      bundle_sha256: evidence.bundle_sha256,
    });
    const rules = ["order-records"];
    expect((await enforceRules(db, rules)).get("order-records")).toBe(0);
    expect((await enforceRules(db, rules, { ORDER_DATA_DAYS: 499 })).get("order-records")).toBe(1);
  });

  it("continues after a crash at every statement", async () => {
    await fill();
    await requestDeletion();
    const { deps } = stack.service;
    let crashes = 0;
    // Each run fails a few statements later than the previous one.
    for (let failing = 1; ; failing += 5) {
      let count = 0;
      const executeSql: typeof deps.db.executeSql = (text, values) => {
        count += 1;
        if (count === failing) throw new Error("The process was killed.");
        return deps.db.executeSql(text, values);
      };
      const deletion = await findDeletion();
      if (deletion.status === "completed") break;
      await prisma().accountDeletion.update({ where: { id: deletion.id }, data: { nextAttemptAt: new Date(0) } });
      await runDeletions({ ...deps, db: { ...deps.db, executeSql } });
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(10);
    expect((await findTexts(deps.db, [mark])).filter((place) => !RETAINED.has(place))).toEqual([]);
  });

  it("waits for outstanding payments", async () => {
    await fill();
    const outstanding = { where: { accountId, type: "x402" }, data: { status: "signed" } };
    await prisma().transaction.updateMany(outstanding);
    await requestDeletion();
    await runNow();
    expect(await findDeletion()).toMatchObject({ status: "scheduled", waitingFor: "payments" });
    await prisma().transaction.updateMany({ ...outstanding, data: { status: "settled" } });
    await runUntilSettled();
    expect(await findDeletion()).toMatchObject({ status: "completed", waitingFor: null });
  });

  it("requires that all balances are given up, and waits if the wallet receives more", async () => {
    await stack.fund({ accountId } as never, "2000000");
    const refused = await requestDeletion();
    expect(refused.code).toBe("BALANCES_REMAIN");
    expect(refused.balances.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(["ETH", "USDC"]);
    const given = refused.balances.map(({ network, asset, atomic }: Record<string, string>) => ({
      network,
      asset,
      amountAtomic: atomic,
    }));
    expect((await requestDeletion(given.slice(1))).code).toBe("BALANCES_REMAIN");
    expect((await requestDeletion(given)).accountDeletion.status).toBe("SCHEDULED");
    expect((await requestDeletion(given)).code).toBe("DELETION_REQUESTED");
    await stack.fund({ accountId } as never, "3000000");
    await runNow();
    expect(await findDeletion()).toMatchObject({ status: "scheduled", waitingFor: "balances that were not given up" });
    const { sealedKeys } = await prisma().wallet.findUniqueOrThrow({ where: { accountId } });
    expect(sealedKeys.length).toBeGreaterThan(0);
  });

  it("waits while an administrator froze the account, and is cancelled from a stopped one", async () => {
    const reason = { accountId, reason: "Investigation" };
    const administer = (name: string, type: string) =>
      stack.graphql(ADMIN_TOKEN, `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, {
        input: reason,
      });
    await requestDeletion();
    await administer("freezeAccount", "FreezeAccountInput");
    await runNow();
    expect(await findDeletion()).toMatchObject({ status: "scheduled", waitingFor: "the end of a freeze" });
    await administer("unfreezeAccount", "UnfreezeAccountInput");
    await owner.graphql("mutation { stopEverything(input: {}) { __typename } }");
    expect((await cancelDeletion()).accountDeletion.status).toBe("CANCELLED");
  });

  it("makes no new payments after the request, until it is cancelled", async () => {
    const url = `${stack.sandbox?.shopUrl}/v1/base-sepolia/weather`;
    await prisma().account.update({ where: { id: accountId }, data: { x402EnabledAt: new Date() } });
    const limits = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
    const rules = { networks: NETWORK_NAMES, allowedHosts: [], allowedPayees: [], expiresAt: null };
    const token = { name: "test", limits, scopes: SCOPES, ...rules };
    const { secret } = await storeApiToken(stack.service.deps.db, accountId, token);
    const pay = () => stack.rest(secret, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`);
    expect((await pay()).status).toBe(200);
    expect((await requestDeletion()).accountDeletion.status).toBe("SCHEDULED");
    expect((await pay()).json).toMatchObject({ error: "account_frozen" });
    // The owner can still sign in, but resumes only by cancelling.
    const again = createBrowserClient(stack.baseUrl);
    expect((await signInByEmail(again, mail, email)).isNewAccount).toBe(false);
    expect((await cancelDeletion()).accountDeletion.status).toBe("CANCELLED");
    expect((await pay()).status).toBe(200);
    expect((await cancelDeletion()).code).toBe("NOT_FOUND");
  });

  it("leaves the account frozen after a cancellation if the owner stopped it", async () => {
    const { db } = stack.service.deps;
    const stop = () =>
      owner.graphql("mutation { stopEverything(input: {}) { ... on StopEverythingSuccess { __typename } } }");
    const frozenBy = async () => (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).frozenBy;
    await stop();
    expect((await requestDeletion()).accountDeletion.status).toBe("SCHEDULED");
    await prisma().$transaction((tx) => expect(assertNoDeletion(tx, accountId)).rejects.toThrow("deletion"));
    await cancelDeletion();
    expect(await frozenBy()).toBe("owner");
    await prisma().$transaction((tx) => assertNoDeletion(tx, accountId));

    await prisma().account.update({ where: { id: accountId }, data: NOT_FROZEN });
    await requestDeletion();
    await stop();
    await cancelDeletion();
    expect(await frozenBy()).toBe("owner");
    expect((await findFreeze(db, accountId)) as string).toBe("owner");
  });

  it("waits for the end of an administrator's freeze, which a cancellation does not end", async () => {
    const { deps } = stack.service;
    const frozenBy = async () => (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).frozenBy;
    const input = { accountId, reason: "Investigation" };
    await requestDeletion();
    await expect(unfreezeAccount(deps, OPERATOR, input)).rejects.toThrow("remains frozen");
    await freezeAccount(deps, OPERATOR, input);
    await runNow();
    expect(await findDeletion()).toMatchObject({
      status: "scheduled",
      waitingFor: "the end of a freeze",
    });
    await unfreezeAccount(deps, OPERATOR, input);
    expect(await frozenBy()).toBe("owner");
    await freezeAccount(deps, OPERATOR, input);
    expect((await cancelDeletion()).accountDeletion.status).toBe("CANCELLED");
    expect(await frozenBy()).toBe("administrator");
    await expect(requestDeletion()).rejects.toThrow("frozen");
    await unfreezeAccount(deps, OPERATOR, input);
    expect(await frozenBy()).toBe(null);
  });
});

/** Columns whose value remains: ids, states, public data on chain, an application's name. The plan states why their rows remain. */
const RETAINED = new Set<string>([
  "administrator_acts.action",
  "administrator_acts.id",
  "administrator_acts.proposal_id",
  "administrator_acts.subject_id",
  "administrator_acts.subject_type",
  "administrator_proposals.action",
  "administrator_proposals.id",
  "administrator_proposals.status",
  "administrator_proposals.subject_id",
  "administrator_proposals.subject_type",
  "agent_credentials.agent_id",
  "agent_credentials.id",
  "agent_credentials.kind",
  "agent_transactions.agent_id",
  "agent_transactions.id",
  "agent_transactions.purpose",
  "agent_transactions.raw_transaction",
  "agent_transactions.status",
  "agent_transactions.tx_hash",
  "agents.id",
  "agents.kek_id",
  "agents.registry_address",
  "agents.wrapped_data_key",
  "catalogue_indexes.currency",
  "catalogue_indexes.host",
  "catalogue_indexes.rail",
  "catalogue_indexes.url",
  "chain_audit_accounts.last_signature",
  "chain_audit_accounts.network",
  "chain_audit_balances.asset",
  "chain_audit_balances.network",
  "chain_differences.asset",
  "chain_differences.id",
  "chain_differences.kind",
  "chain_differences.network",
  "chain_differences.subject",
  "chain_differences.transaction_id",
  "chain_differences.tx_hash",
  "chain_transfers.asset",
  "chain_transfers.counterparty",
  "chain_transfers.direction",
  "chain_transfers.network",
  "chain_transfers.transaction_id",
  "chain_transfers.tx_hash",
  "evm_transactions.data",
  "evm_transactions.id",
  "evm_transactions.network",
  "evm_transactions.purpose",
  "evm_transactions.raw_transaction",
  "evm_transactions.replaced_hashes",
  "evm_transactions.to",
  "evm_transactions.trade_id",
  "evm_transactions.tx_hash",
  "gas_purchases.id",
  "gas_purchases.network",
  "gas_purchases.raw_transaction",
  "gas_purchases.trade_id",
  "gas_purchases.transaction_id",
  "gas_purchases.tx_hashes",
  "oauth_client_reviews.client_id",
  "oauth_client_reviews.from_status",
  "oauth_client_reviews.id",
  "oauth_client_reviews.to_status",
  "oauth_clients.app_name",
  "oauth_clients.id",
  "order_records.card_brand",
  "order_records.card_last4",
  "order_records.currency",
  "order_records.evidence",
  "order_records.id",
  "order_records.merchant_domain",
  "order_records.merchant_name",
  "order_records.merchant_order_number",
  "order_records.status",
  "permit_revocations.id",
  "permit_revocations.network",
  "permit_revocations.pay_to",
  "permit_revocations.raw_transaction",
  "permit_revocations.seller_host",
  "permit_revocations.transaction_id",
  "permit_revocations.tx_hashes",
  "trades.buy_symbol",
  "trades.buy_token",
  "trades.id",
  "trades.network",
  "trades.sell_symbol",
  "trades.sell_token",
  "trades.transaction_id",
  "transactions.asset",
  "transactions.claimed_tx_hash",
  "transactions.id",
  "transactions.network",
  "transactions.nonce",
  "transactions.pay_to",
  "transactions.permit_slot",
  "transactions.tx_hash",
]);

/** Returns the files of an archive, with the system's `tar`. */
function extract(archive: Buffer): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "satchel-export-"));
  try {
    writeFileSync(join(folder, "export.tar.gz"), archive);
    execFileSync("tar", ["xzf", "export.tar.gz"], { cwd: folder });
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      names.map(({ name, parentPath }) => {
        const path = join(parentPath, name);
        return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
