/** Test data for key rotation: rows of every sealed table. */
import { createPublicKey, randomBytes, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createHolderKey, openHolderKey } from "../../src/agents/holder-key.ts";
import { openCard, sealCard } from "../../src/checkout/cards/card-vault.ts";
import { openDeliveryAddress, sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { createWebhookSecrets, type SealedSecrets } from "../../src/events/webhook-secrets.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createKeyEncryptionKeys } from "../../src/platform/crypto/sealing/key-encryption.ts";
import { createSigningKeys } from "../../src/platform/crypto/signing-keys.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import type { SealedWallet } from "../../src/wallet/vault.ts";

const digest = randomBytes(32);
export const newKey = () => randomBytes(32).toString("base64");
export const loadKeks = (keys: Record<string, string>) =>
  createKeyEncryptionKeys(loadConfig({ NODE_ENV: "test", ...keys }), { mayCreate: false });

/**
 * Stores wallets, a signing key, an agent's key, a webhook, a card and an order's address, sealed with these keys. Returns a
 * function that checks that all values can be opened with given keys and are unchanged.
 */
export async function createSealedRows(db: Database, walletCount: number, keys: Record<string, string>) {
  const keks = await loadKeks(keys);
  const vault = createVault(keks);
  const owners = Array.from({ length: walletCount }, () => ({ id: randomUUID() }));
  await db.prisma.account.createMany({ data: owners });
  const wallets = await Promise.all(owners.map(({ id }, index) => vault.create(`wal_${index}`, id)));
  await db.prisma.wallet.createMany({ data: wallets });
  const signatures = await Promise.all(wallets.map((wallet) => vault.signDigest(wallet, digest)));
  const { kid } = await createSigningKeys({ db, ...keks }).current("login_token");
  const accountId = randomUUID();
  await db.prisma.account.create({ data: { id: accountId } });
  const holderKey = await createHolderKey(keks, { id: "agt_1", accountId });
  const agent = { id: "agt_1", accountId, status: "pending", network: "base", registryAddress: "0x", ...holderKey };
  await db.prisma.agent.create({ data: agent });
  const message = { id: "evt_1", timestampSeconds: 1, body: "{}" };
  const { sealed } = await createWebhookSecrets(keks).create({ id: "whk_1", accountId });
  const endpoint = { url: "https://app.example/", description: "", eventTypes: [] };
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
  const cardData = { ...details, accountId, billingAddress: {}, status: "active", hasSecurityCode: false };
  await db.prisma.paymentCard.create({
    data: { id: "card_1", ...cardData, ...(await sealCard(keks, { id: "card_1", accountId }, secrets)) },
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
  const address = await sealDeliveryAddress(keks, { id: "ord_1", accountId }, shipTo);
  await db.prisma.checkoutOrder.create({ data: { ...order, dispatchSha256: randomBytes(32), ...address } });
  // An order that is delivered to the cardholder has no sealed address.
  await db.prisma.checkoutOrder.create({ data: { ...order, id: "ord_2", dispatchSha256: randomBytes(32) } });
  return async (database: Database, keys: Record<string, string>) => {
    const otherKeks = await loadKeks(keys);
    const otherVault = createVault(otherKeks);
    const rows = await database.prisma.wallet.findMany();
    const walletsById = new Map(rows.map((row) => [row.id, row as SealedWallet]));
    for (const [index, { id }] of wallets.entries()) {
      expect(await otherVault.signDigest(walletsById.get(id) as SealedWallet, digest)).toBe(signatures[index]);
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
