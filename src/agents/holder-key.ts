/** P-256 holder key of an agent: credentials are bound to it, and it signs presentations. It is stored only sealed. */
import type { KeyObject } from "node:crypto";
import type { Agent } from "../../generated/prisma/client.ts";
import type { SealedTable } from "../platform/crypto/sealing/rotate.ts";
import {
  createSealedPrivateKey,
  type EcPublicJwk,
  openSealedPrivateKey,
} from "../platform/crypto/sealing/sealed-private-key.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";

/** Columns of an agent's row that contain the sealed key. */
export type HolderKey = Pick<Agent, "id" | "sealedHolderKey" | "wrappedDataKey" | "kekId">;

/** Creates a holder key as columns of the agent's row. @param agentRecordId id of the row; the key can be opened only with it */
export async function createHolderKey(
  keks: KeyEncryptionKeys,
  agentRecordId: string,
): Promise<Omit<HolderKey, "id"> & { readonly holderPublicJwk: { [member in keyof EcPublicJwk]: string } }> {
  const { publicJwk, sealedKey, ...wrapped } = await createSealedPrivateKey(keks, () => contextOf(agentRecordId));
  return { holderPublicJwk: { ...publicJwk }, sealedHolderKey: sealedKey, ...wrapped };
}

/** Returns the private key. @throws {UnknownKekError | SealBrokenError} */
export function openHolderKey(
  keks: KeyEncryptionKeys,
  { id, sealedHolderKey, wrappedDataKey, kekId }: HolderKey,
): Promise<KeyObject> {
  return openSealedPrivateKey(keks, { sealedKey: sealedHolderKey, wrappedDataKey, kekId }, contextOf(id));
}

function contextOf(agentRecordId: string): string {
  return `agent-holder-key\0${agentRecordId}`;
}

export const SEALED_HOLDER_KEYS: SealedTable = { name: "agents", contextOf };
