/**
 * What an endpoint's deliveries are signed with (Standard Webhooks, "Signature scheme"): random secrets, sealed under a
 * data key of the endpoint's own. During a rotation there are two, and both sign.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createDataKeyCache } from "../platform/crypto/sealing/data-key-cache.ts";
import type { SealedTable } from "../platform/crypto/sealing/rotate.ts";
import { openJson, sealJson } from "../platform/crypto/sealing/sealed-box.ts";
import { createDataKey, type KeyEncryptionKeys, type WrappedKey } from "../platform/crypto/sealing/wrapped-key.ts";

export interface SealedSecrets extends WrappedKey {
  readonly id: string;
  readonly sealedSecrets: Uint8Array<ArrayBuffer>;
}

export interface WebhookSecrets {
  /** Makes the first secret of an endpoint that is about to be stored. */
  create(endpointId: string): Promise<{ readonly secret: string; readonly sealed: SealedSecrets }>;
  /** Makes a new secret; the one before it signs for another day. */
  rotate(row: SealedSecrets): Promise<{ readonly secret: string; readonly sealedSecrets: Uint8Array<ArrayBuffer> }>;
  /** The `webhook-signature` header of what is sent to an endpoint: a signature by each of its secrets. */
  sign(row: SealedSecrets, message: SignedMessage): Promise<string>;
}

export interface SignedMessage {
  /** `webhook-id` */
  readonly id: string;
  /** `webhook-timestamp` */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** As it lies in the box: secrets in base64. */
interface Contents {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly untilMs: number } | null;
}

/** How people and their libraries know a secret. */
const PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const PREVIOUS_SIGNS_FOR_HOURS = 24;

export function createWebhookSecrets(keks: KeyEncryptionKeys): WebhookSecrets {
  const dataKeyOf = createDataKeyCache(keks);
  const openBox = async (row: SealedSecrets): Promise<Contents> =>
    openJson<Contents>(await dataKeyOf(row, contextOf(row.id)), row.sealedSecrets, contextOf(row.id));

  return {
    async create(id) {
      const { dataKey, ...wrapped } = await createDataKey(keks, contextOf(id));
      const current = newSecret();
      const contents: Contents = { current, previous: null };
      const sealedSecrets = sealJson(dataKey, contents, contextOf(id));
      return { secret: PREFIX + current, sealed: { id, sealedSecrets, ...wrapped } };
    },
    async rotate(row) {
      const { current: secret } = await openBox(row);
      const current = newSecret();
      const previous = { secret, untilMs: Date.now() + PREVIOUS_SIGNS_FOR_HOURS * 3_600_000 };
      const contents: Contents = { current, previous };
      const dataKey = await dataKeyOf(row, contextOf(row.id));
      return { secret: PREFIX + current, sealedSecrets: sealJson(dataKey, contents, contextOf(row.id)) };
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

function contextOf(id: string): string {
  return `webhook\0${id}`;
}

export const SEALED_WEBHOOKS: SealedTable = { name: "webhook_endpoints", contextOf };
