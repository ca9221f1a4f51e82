// @module-tag postgresql
/** Moving sealed keys to another key-encryption key: all of them move, none is lost, and it can be broken off. */
import { execFile } from "node:child_process";
import { createPublicKey, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHolderKey, openHolderKey, SEALED_HOLDER_KEYS } from "../../src/agents/holder-key.ts";
import { openCard, SEALED_CARDS, sealCard } from "../../src/checkout/cards/card-vault.ts";
import { openDeliveryAddress, SEALED_ORDERS, sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { createWebhookSecrets, SEALED_WEBHOOKS, type SealedSecrets } from "../../src/events/webhook-secrets.ts";
import { loadConfig } from "../../src/platform/config.ts";
import { type Database, openDatabase } from "../../src/platform/database.ts";
import { migrate } from "../../src/platform/migrate.ts";
import { createKeyEncryptionKeys } from "../../src/platform/sealing/key-encryption.ts";
import type { KeyEncryptionKey } from "../../src/platform/sealing/key-encryption-key.ts";
import { type Rotation, rotateTable, rowsUnderOthers } from "../../src/platform/sealing/rotate.ts";
import { UnknownKekError } from "../../src/platform/sealing/wrapped-key.ts";
import { createSigningKeys, SEALED_SIGNING_KEYS } from "../../src/platform/signing-keys.ts";
import { createVault, SEALED_WALLETS } from "../../src/wallet/sealed-vault.ts";
import type { SealedWallet } from "../../src/wallet/vault.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { createDatabase } from "../support/postgresql.ts";
import { postgresqlUrl } from "../support/servers.ts";

const digest = randomBytes(32);
const newKey = () => randomBytes(32).toString("base64");
const keksOf = (keys: Record<string, string>) => createKeyEncryptionKeys(loadConfig({ NODE_ENV: "test", ...keys }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-rotate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Wallets, a signing key, an agent's key, a webhook, a card and an order's address under these keys; answers what checks that all of them are what they were. */
async function seal(db: Database, wallets: number, keys: Record<string, string>) {
  const keks = await keksOf(keys);
  const vault = createVault(keks);
  const made = await Promise.all(Array.from({ length: wallets }, (_, index) => vault.create(`wal_${index}`)));
  await db.prisma.wallet.createMany({ data: made });
  const signatures = await Promise.all(made.map((wallet) => vault.signDigest(wallet, digest)));
  const { kid } = await createSigningKeys({ db, ...keks }).current("login_token");
  const accountId = randomUUID();
  await db.prisma.account.create({ data: { id: accountId } });
  const holderKey = await createHolderKey(keks, "agt_1");
  const agent = { id: "agt_1", accountId, status: "pending", network: "base", registryAddress: "0x", ...holderKey };
  await db.prisma.agent.create({ data: agent });
  const message = { id: "evt_1", timestampSeconds: 1, body: "{}" };
  const { sealed } = await createWebhookSecrets(keks).create("whk_1");
  const endpoint = { accountId, url: "https://app.example/", description: "", eventTypes: [] };
  await db.prisma.webhookEndpoint.create({ data: { ...sealed, ...endpoint } });
  const signature = await createWebhookSecrets(keks).sign(sealed, message);
  const secrets = { number: "4242424242424242", securityCode: null };
  const details = {
    brand: "visa",
    last4: "4242",
    expMonth: 1,
    expYear: 2099,
    funding: "unknown",
    cardholderName: "Ada",
  };
  const shown = { ...details, accountId, billingAddress: {}, status: "active", hasSecurityCode: false };
  await db.prisma.paymentCard.create({
    data: { id: "card_1", ...shown, ...(await sealCard(keks, "card_1", secrets)) },
  });
  const shipTo = checkShipTo({
    firstName: "Ada",
    lastName: "Lovelace",
    address1: "12 St James's Square",
    city: "London",
    postalCode: "SW1Y 4JH",
    countryCode: "GB",
  });
  const order = { id: "ord_1", accountId, credentialId: "tok_1", kind: "purchase", status: "pending", request: {} };
  const address = await sealDeliveryAddress(keks, "ord_1", shipTo);
  await db.prisma.checkoutOrder.create({ data: { ...order, dispatchSha256: randomBytes(32), ...address } });
  // One that goes to the cardholder has nothing to move.
  await db.prisma.checkoutOrder.create({ data: { ...order, id: "ord_2", dispatchSha256: randomBytes(32) } });
  return async (database: Database, other: Record<string, string>) => {
    const otherKeks = await keksOf(other);
    const otherVault = createVault(otherKeks);
    const rows = await database.prisma.wallet.findMany();
    const ofRow = new Map(rows.map((row) => [row.id, row as SealedWallet]));
    for (const [index, { id }] of made.entries()) {
      expect(await otherVault.signDigest(ofRow.get(id) as SealedWallet, digest)).toBe(signatures[index]);
    }
    expect((await createSigningKeys({ db: database, ...otherKeks }).current("login_token")).kid).toBe(kid);
    const webhook = await database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: "whk_1" } });
    expect(await createWebhookSecrets(otherKeks).sign(webhook as SealedSecrets, message)).toBe(signature);
    const ordered = await database.prisma.checkoutOrder.findUniqueOrThrow({ where: { id: "ord_1" } });
    expect(await openDeliveryAddress(otherKeks, ordered)).toEqual(shipTo);
    const card = { cardId: "card_1", accountId };
    expect(await openCard({ db: database, keks: otherKeks }, card)).toMatchObject(secrets);
    const opened = await openHolderKey(
      otherKeks,
      await database.prisma.agent.findUniqueOrThrow({ where: { accountId } }),
    );
    expect(createPublicKey(opened).export({ format: "jwk" })).toEqual(holderKey.holderPublicJwk);
  };
}

describe("a rotation", () => {
  const WALLETS = 230;
  const [first, second] = [newKey(), newKey()];
  let fresh: FreshDatabase;
  let expectAllOpen: Awaited<ReturnType<typeof seal>>;
  beforeAll(async () => {
    fresh = await freshDatabase();
    expectAllOpen = await seal(fresh.db, WALLETS, { KEY_ENCRYPTION_KEY: first });
  });
  afterAll(() => fresh.close());

  async function rotate(keys: Record<string, string>, { limit = Number.POSITIVE_INFINITY } = {}) {
    const keks = await keksOf(keys);
    let asked = 0;
    const failing: KeyEncryptionKey = {
      ...keks.kek,
      async wrap(dataKey, context) {
        if (asked++ >= limit) throw new Error("the power went");
        return await keks.kek.wrap(dataKey, context);
      },
    };
    const steps: number[] = [];
    const onProgress = ({ moved }: Rotation) => void steps.push(moved);
    const rotation = await rotateTable(fresh.db, { ...keks, kek: failing }, SEALED_WALLETS, onProgress);
    const others = [SEALED_SIGNING_KEYS, SEALED_HOLDER_KEYS, SEALED_WEBHOOKS, SEALED_CARDS, SEALED_ORDERS].map(
      (table) => rotateTable(fresh.db, keks, table, () => {}),
    );
    const left = await rowsUnderOthers(fresh.db, keks, SEALED_WALLETS);
    return { ...rotation, steps, left, others: await Promise.all(others) };
  }

  it("leaves what no key opens as it is, and names its key", async () => {
    const { kek } = await keksOf({ KEY_ENCRYPTION_KEY: first });
    const { moved, left } = await rotate({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: newKey() });
    expect([moved, [...left]]).toEqual([0, [[kek.id, WALLETS]]]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first });
  });

  it("goes on where it was broken off, while nodes that know both keys open everything", async () => {
    const both = { KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: `${newKey()}, ${first}` };
    await expect(rotate(both, { limit: 145 })).rejects.toThrow("the power went");
    await expectAllOpen(fresh.db, both);
    await expect(expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: second })).rejects.toThrow(UnknownKekError);
    const { total, moved, steps, left, others } = await rotate(both);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(WALLETS);
    expect([moved, steps.at(-1), left.size]).toEqual([total, total, 0]);
    expect(others.map((other) => other.moved)).toEqual([1, 1, 1, 1, 1]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: second });
    await expect(expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first })).rejects.toThrow(UnknownKekError);
  });

  it("moves to a key file and back, run twice at once and once more", async () => {
    const path = join(folder, "kek");
    await writeFile(path, randomBytes(32), { mode: 0o600 });
    const there = { KEY_FILE: path, OLDER_KEY_ENCRYPTION_KEYS: second };
    await Promise.all([rotate(there), rotate(there)]);
    await expectAllOpen(fresh.db, { KEY_FILE: path });
    expect(await rotate(there)).toMatchObject({ total: 0, moved: 0, steps: [] });
    expect((await rotate({ KEY_ENCRYPTION_KEY: first, OLDER_KEY_FILES: path })).steps).toEqual([100, 200, WALLETS]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first });
  });
});

/** Has a wallet stored under these keys once the first card is moved, as by a node that was not restarted yet. */
async function sealMeanwhile(db: Database, keys: Record<string, string>): Promise<void> {
  await db.prisma.wallet.create({ data: await createVault(await keksOf(keys)).create("wal_late") });
  await db.executeSql(`CREATE SCHEMA elsewhere;
    CREATE TABLE elsewhere.late AS SELECT * FROM wallets WHERE id = 'wal_late';
    DELETE FROM wallets WHERE id = 'wal_late';
    CREATE FUNCTION elsewhere.store() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO wallets SELECT * FROM elsewhere.late ON CONFLICT DO NOTHING; RETURN NULL; END $$;
    CREATE TRIGGER meanwhile AFTER UPDATE ON payment_cards EXECUTE FUNCTION elsewhere.store();`);
}

it("npm run rotate-keys says what it does, and fails while anything is left", async () => {
  const [first, second] = [newKey(), newKey()];
  const server = postgresqlUrl === null ? null : await createDatabase(postgresqlUrl);
  const dataDir = join(folder, "data");
  const db = await openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 2 });
  await migrate(db);
  const expectAllOpen = await seal(db, 3, { KEY_ENCRYPTION_KEY: first });
  await db.close();

  const command = join(import.meta.dirname, "../../src/rotate-keys.ts");
  const run = (keys: Record<string, string>) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const { PATH, HOME } = process.env;
      const given = { PATH, HOME, NODE_ENV: "test", DATA_DIR: dataDir, ...keys };
      const env = server ? { ...given, DATABASE_URL: server.databaseUrl } : given;
      execFile(process.execPath, ["--disable-warning=ExperimentalWarning", command], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  const malformed = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: "c2hvcnQ=" });
  expect([malformed.code, malformed.stderr]).toEqual([1, expect.stringContaining("OLDER_KEY_ENCRYPTION_KEYS")]);
  expect(malformed.stderr).not.toContain("c2hvcnQ=");
  const missing = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_FILES: join(folder, "none") });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("is not there")]);
  const unknown = await run({ KEY_ENCRYPTION_KEY: second });
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/Wallets: 3 left under local:\w+, which/)]);

  const done = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: first });
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(done.stdout.split("\n").slice(1)).toEqual([
    "Wallets: 3 of 3",
    "Signing keys: 1 of 1",
    "Agents' keys: 1 of 1",
    "Webhooks: 1 of 1",
    "Cards: 1 of 1",
    "Delivery addresses: 1 of 1",
    "Wallets: 3 moved",
    "Signing keys: 1 moved",
    "Agents' keys: 1 moved",
    "Webhooks: 1 moved",
    "Cards: 1 moved",
    "Delivery addresses: 1 moved",
    "Nothing is left under another key: older keys are no longer needed",
    "",
  ]);
  for (const key of [first, second]) expect(done.stdout).not.toContain(key);
  const after = await openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 2 });
  await expectAllOpen(after, { KEY_ENCRYPTION_KEY: second });
  await sealMeanwhile(after, { KEY_ENCRYPTION_KEY: second });
  await after.close();

  const both = { KEY_ENCRYPTION_KEY: newKey(), OLDER_KEY_ENCRYPTION_KEYS: second };
  const overtaken = await run(both);
  expect([overtaken.code, overtaken.stderr]).toEqual([
    1,
    expect.stringMatching(/^Wallets: 1 left under local:\w+, .*again\n$/),
  ]);
  expect(overtaken.stdout).not.toContain("no longer needed");
  await server?.drop();
}, 180_000);
