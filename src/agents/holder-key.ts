/** The P-256 key an agent's credentials are bound to, and which signs when it presents one. It leaves no other way. */
import type { KeyObject } from "node:crypto";
import type { Agent } from "../../generated/prisma/client.ts";
import type { SealedTable } from "../platform/crypto/sealing/rotate.ts";
import {
  createSealedPrivateKey,
  type EcPublicJwk,
  openSealedPrivateKey,
} from "../platform/crypto/sealing/sealed-private-key.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";

/** What an agent's row holds of it. */
export type HolderKey = Pick<Agent, "id" | "sealedHolderKey" | "wrappedDataKey" | "kekId">;

/** A new holder key, as columns of the agent's row. @param agentRecordId the row's id: the key opens in that row alone */
export async function createHolderKey(
  keks: KeyEncryptionKeys,
  agentRecordId: string,
): Promise<Omit<HolderKey, "id"> & { readonly holderPublicJwk: { [member in keyof EcPublicJwk]: string } }> {
  const { publicJwk, sealedKey, ...wrapped } = await createSealedPrivateKey(keks, () => contextOf(agentRecordId));
  return { holderPublicJwk: { ...publicJwk }, sealedHolderKey: sealedKey, ...wrapped };
}

/** The private half. @throws {UnknownKekError | SealBrokenError} */
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
