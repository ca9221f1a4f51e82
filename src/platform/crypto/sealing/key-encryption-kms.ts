/** A key-encryption key that never leaves AWS KMS. */
import type { KMSClient } from "@aws-sdk/client-kms";
import type { KeyEncryptionKey } from "./wrapped-key.ts";

/** KMS refused or could not be reached. `reason` is the SDK's error name, such as `InvalidCiphertextException`. */
export class KmsError extends Error {
  override readonly name = "KmsError";
  readonly reason: string;
  constructor(action: string, reason: string) {
    super(`AWS KMS could not ${action} a data key (${reason}).`);
    this.reason = reason;
  }
}

/**
 * Wraps data keys with the symmetric KMS key `keyId` (id, ARN or alias). The context travels as KMS encryption context, so KMS itself
 * refuses a swapped row and its audit log names the wallet. Region, credentials and endpoint come from the SDK's usual places.
 */
export function kmsKek(keyId: string, client?: KMSClient): KeyEncryptionKey {
  // Loaded on first use: the SDK would otherwise weigh on every start, also of those who do not use it.
  let connected = client;
  const connect = async () => {
    const sdk = await import("@aws-sdk/client-kms");
    connected ??= new sdk.KMSClient({});
    return { sdk, kms: connected };
  };
  return {
    id: `kms:${keyId}`,
    async wrap(dataKey, context) {
      const { sdk, kms } = await connect();
      const command = new sdk.EncryptCommand({
        KeyId: keyId,
        Plaintext: dataKey,
        EncryptionContext: { wallet: context },
      });
      const { CiphertextBlob } = await kms.send(command).catch(refuse("wrap"));
      if (!CiphertextBlob) throw new KmsError("wrap", "EmptyAnswer");
      return Uint8Array.from(CiphertextBlob);
    },
    async unwrap(wrapped, context) {
      const { sdk, kms } = await connect();
      // Naming the key keeps KMS from opening bytes that someone sealed under a key of their own.
      const command = new sdk.DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: { wallet: context },
      });
      const { Plaintext } = await kms.send(command).catch(refuse("unwrap"));
      if (!Plaintext) throw new KmsError("unwrap", "EmptyAnswer");
      const dataKey = Uint8Array.from(Plaintext);
      Plaintext.fill(0);
      return dataKey;
    },
  };
}

/** The SDK's error carries request and response; only its name goes on. */
function refuse(action: string): (error: unknown) => never {
  return (error) => {
    throw new KmsError(action, error instanceof Error ? error.name : "UnknownError");
  };
}
