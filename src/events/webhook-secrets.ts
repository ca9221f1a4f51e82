/**
 * Secrets that sign an endpoint's deliveries (Standard Webhooks, "Signature scheme"). They are random and sealed under a data
 * key per endpoint. After a rotation, two secrets sign for 24 hours.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createDataKeyCache } from "../platform/crypto/sealing/data-key-cache.ts";
import { openJson, sealJson } from "../platform/crypto/sealing/sealed-box.ts";
import { accountTable, type RowIdentity } from "../platform/crypto/sealing/sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys, type WrappedKey } from "../platform/crypto/sealing/wrapped-key.ts";

export interface SealedSecrets extends WrappedKey {
  readonly id: string;
  readonly accountId: string;
  readonly sealedSecrets: Uint8Array<ArrayBuffer>;
}

export interface WebhookSecrets {
  /** Creates the first secret of a new endpoint. */
  create(endpoint: {
    readonly id: string;
    readonly accountId: string;
  }): Promise<{ readonly secret: string; readonly sealed: SealedSecrets & { readonly isAccountBound: true } }>;
  /** Creates a new secret. The previous one signs for another 24 hours. */
  rotate(row: SealedSecrets): Promise<{ readonly secret: string; readonly sealedSecrets: Uint8Array<ArrayBuffer> }>;
  /** Returns the `webhook-signature` header of a delivery, with one signature per active secret. */
  sign(row: SealedSecrets, message: SignedMessage): Promise<string>;
}

export interface SignedMessage {
  /** `webhook-id` */
  readonly id: string;
  /** `webhook-timestamp` */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Contents of the sealed box. Secrets are in base64. */
interface Contents {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly untilMs: number } | null;
}

/** Prefix of a secret (Standard Webhooks). */
const PREFIX = "whsec_";
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PREVIOUS_SIGNS_FOR_HOURS = 24;

/** Secrets open only in their endpoint's row, and only while it belongs to the same account. */
export const SEALED_WEBHOOKS = accountTable("webhook_endpoints", "webhook", {
  boxColumn: "sealed_secrets",
  kind: "webhook",
});
const contextOf = (row: RowIdentity) => SEALED_WEBHOOKS.contextOf(row);

export function createWebhookSecrets(keks: KeyEncryptionKeys): WebhookSecrets {
  const getDataKey = createDataKeyCache(keks);
  const openBox = async (row: SealedSecrets): Promise<Contents> =>
    openJson<Contents>(await getDataKey(row, contextOf(row)), row.sealedSecrets, contextOf(row));

  return {
    async create({ id, accountId }) {
      const context = contextOf({ id, accountId });
      const { dataKey, ...wrapped } = await createDataKey(keks, context);
      const current = newSecret();
      const contents: Contents = { current, previous: null };
      const sealedSecrets = sealJson(dataKey, contents, context);
      return { secret: PREFIX + current, sealed: { id, accountId, sealedSecrets, ...wrapped, isAccountBound: true } };
    },
    async rotate(row) {
      const { current: secret } = await openBox(row);
      const current = newSecret();
      const previous = { secret, untilMs: Date.now() + PREVIOUS_SIGNS_FOR_HOURS * 3_600_000 };
      const contents: Contents = { current, previous };
      const dataKey = await getDataKey(row, contextOf(row));
      return { secret: PREFIX + current, sealedSecrets: sealJson(dataKey, contents, contextOf(row)) };
    },
    async sign(row, { id, timestampSeconds, body }) {
      const { current, previous } = await openBox(row);
      const secrets = previous && previous.untilMs > Date.now() ? [current, previous.secret] : [current];
      return secrets
        .map((secret) => createHmac("sha256", Buffer.from(secret, "base64")))
        .map((hmac) => `v1,${hmac.update(`${id}.${timestampSeconds}.${body}`).digest("base64")}`)
        .join(" ");
    },
  };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}
