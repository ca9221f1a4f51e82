/** P-256 holder key of an agent: credentials are bound to it, and it signs presentations. It is stored only sealed. */
import type { KeyObject } from "node:crypto";
import type { Agent } from "../../generated/prisma/client.ts";
import {
  createSealedPrivateKey,
  type EcPublicJwk,
  openSealedPrivateKey,
} from "../platform/crypto/sealing/sealed-private-key.ts";
import { accountTable, type RowIdentity } from "../platform/crypto/sealing/sealed-table.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";

/** Holder keys open only in their agent's row, and only while it belongs to the same account. */
export const SEALED_HOLDER_KEYS = accountTable("agents", "agent-holder-key", {
  boxColumn: "sealed_holder_key",
  kind: "agent-holder-key",
});

/** Columns of an agent's row that contain the sealed key. */
export type HolderKey = Pick<Agent, "id" | "accountId" | "sealedHolderKey" | "wrappedDataKey" | "kekId">;

/** Creates a holder key as columns of the agent's row. @param agent id and account of the row; the key opens only with both */
export async function createHolderKey(keks: KeyEncryptionKeys, agent: RowIdentity) {
  const context = SEALED_HOLDER_KEYS.contextOf(agent);
  const { publicJwk, sealedKey, ...wrapped } = await createSealedPrivateKey(keks, () => context);
  const holderPublicJwk: { [member in keyof EcPublicJwk]: string } = { ...publicJwk };
  return { holderPublicJwk, sealedHolderKey: sealedKey, ...wrapped, isAccountBound: true };
}

/** Returns the private key. @throws {UnknownKekError | SealBrokenError} */
export function openHolderKey(keks: KeyEncryptionKeys, agent: HolderKey): Promise<KeyObject> {
  const { sealedHolderKey, wrappedDataKey, kekId } = agent;
  const sealed = { sealedKey: sealedHolderKey, wrappedDataKey, kekId };
  return openSealedPrivateKey(keks, sealed, SEALED_HOLDER_KEYS.contextOf(agent));
}
