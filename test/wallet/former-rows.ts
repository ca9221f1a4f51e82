/** Rows as version 0.1.0 sealed them: bound to the id of the row only, not to its account. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { open, seal, sealJson } from "../../src/platform/crypto/sealing/sealed-box.ts";
import { createSealedPrivateKey } from "../../src/platform/crypto/sealing/sealed-private-key.ts";
import { accountContext } from "../../src/platform/crypto/sealing/sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";

export const SECRETS = { number: "4242424242424242", securityCode: "739" };
export const SHIP_TO = { firstName: "Ada", lastName: "Lovelace", city: "London" };
const DETAILS = {
  ...{ brand: "visa", last4: "4242", expMonth: 1, expYear: 2099, funding: "unknown", cardholderName: "Ada" },
  ...{ billingAddress: {}, hasSecurityCode: true, fingerprint: new Uint8Array(32) },
};

/** Seals a new wallet with the contexts of version 0.1.0. */
export async function createFormerWallet(keks: KeyEncryptionKeys, id: string, accountId: string | null) {
  const wallet = await createVault(keks).create(id, accountId);
  const dataKey = await openDataKey(keks, wallet, accountContext("wallet", wallet));
  const half = wallet.sealedKeys.length / 2;
  const { dataKey: formerKey, ...wrapped } = await createDataKey(keks, id);
  const boxes = (["secp256k1", "ed25519"] as const).map((purpose, index) => {
    const box = wallet.sealedKeys.subarray(index * half, (index + 1) * half);
    const addresses = [wallet.evmAddress.toLowerCase(), wallet.solanaAddress];
    const context = [accountContext(`wallet:${purpose}`, wallet), ...addresses].join("\0");
    return seal(formerKey, open(dataKey, box, context), ["wallet", purpose, id, ...addresses].join("\0"));
  });
  return { ...wallet, ...wrapped, sealedKeys: Uint8Array.from(Buffer.concat(boxes)), isAccountBound: false };
}

/** Stores an account with one row of each kind, sealed by version 0.1.0, and a card that was removed. */
export async function addFormerRows(db: Database, keks: KeyEncryptionKeys) {
  const { prisma } = db;
  const accountId = randomUUID();
  const suffix = createHash("sha256").update(accountId).digest("hex").slice(0, 12);
  const ids = Object.fromEntries(
    ["wal", "agt", "whk", "card", "gone", "ord"].map((kind) => [kind, `${kind}_${suffix}`]),
  ) as Record<"wal" | "agt" | "whk" | "card" | "gone" | "ord", string>;
  await prisma.account.create({ data: { id: accountId } });
  const wallet = await createFormerWallet(keks, ids.wal, accountId);
  await prisma.wallet.create({ data: wallet });

  const holder = await createSealedPrivateKey(keks, () => `agent-holder-key\0${ids.agt}`);
  const { publicJwk, sealedKey, ...wrappedHolderKey } = holder;
  await prisma.agent.create({
    data: {
      ...{ id: ids.agt, accountId, status: "pending", network: "base", registryAddress: "0x" },
      ...{ holderPublicJwk: { ...publicJwk }, sealedHolderKey: sealedKey, ...wrappedHolderKey },
    },
  });

  const sealFormer = async (context: string, value: object) => {
    const { dataKey, ...wrapped } = await createDataKey(keks, context);
    return { box: sealJson(dataKey, value, context), wrapped };
  };
  const secret = randomBytes(32).toString("base64");
  const secrets = await sealFormer(`webhook\0${ids.whk}`, { current: secret, previous: null });
  await prisma.webhookEndpoint.create({
    data: {
      ...{ id: ids.whk, accountId, url: "https://app.example/", description: "", eventTypes: [] },
      ...{ sealedSecrets: secrets.box, ...secrets.wrapped },
    },
  });

  const card = await sealFormer(`card\0${ids.card}`, SECRETS);
  await prisma.paymentCard.create({
    data: { id: ids.card, accountId, ...DETAILS, status: "active", sealedCard: card.box, ...card.wrapped },
  });
  const removed = await sealFormer(`card\0${ids.gone}`, SECRETS);
  await prisma.paymentCard.create({
    data: {
      ...{ id: ids.gone, accountId, ...DETAILS, status: "disabled", removedAt: new Date() },
      ...{ sealedCard: new Uint8Array(), ...removed.wrapped },
    },
  });

  const address = await sealFormer(`order\0${ids.ord}`, SHIP_TO);
  await prisma.checkoutOrder.create({
    data: {
      ...{ id: ids.ord, accountId, credentialId: "tok_1", kind: "purchase", status: "pending", request: {} },
      ...{ dispatchSha256: randomBytes(32), sealedShipTo: address.box, ...address.wrapped },
    },
  });
  return { accountId, ids, publicJwk, secret };
}
