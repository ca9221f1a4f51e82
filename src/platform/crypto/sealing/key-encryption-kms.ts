/** Key-encryption keys in AWS KMS. The key material never leaves KMS. */
import type { KMSClient } from "@aws-sdk/client-kms";
import { OperatorError } from "../../operator-error.ts";
import { SealBrokenError } from "./sealed-box.ts";
import type { KeyEncryptionKey } from "./wrapped-key.ts";

/** Includes retries of the SDK. A sign-up waits for one request. */
const TIMEOUT_MS = 5_000;

/** KMS rejected a request or is unreachable. `reason` is the SDK's error name, such as `NotFoundException`. */
export class KmsError extends OperatorError {
  readonly reason: string;
  constructor(action: string, reason: string) {
    super(`AWS KMS could not ${action} a data key (${reason}).`);
    this.reason = reason;
  }
}

/**
 * Returns a key-encryption key for the symmetric KMS key `keyId` (id, ARN or alias). The context is sent as KMS encryption
 * context: KMS rejects a swapped row, and its audit log names the row and account. The SDK's defaults supply region, credentials and
 * endpoint.
 */
export function kmsKek(keyId: string, client?: KMSClient): KeyEncryptionKey {
  // Imported on first use: loading the SDK slows every start, also without KMS.
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
      const { CiphertextBlob } = await kms
        .send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
        .catch(rethrowAsKmsError("wrap"));
      if (!CiphertextBlob) throw new KmsError("wrap", "EmptyResponse");
      return Uint8Array.from(CiphertextBlob);
    },
    async unwrap(wrapped, context) {
      const { sdk, kms } = await connect();
      // KeyId prevents KMS from decrypting bytes that an attacker encrypted under their own key.
      const command = new sdk.DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: { wallet: context },
      });
      const { Plaintext } = await kms
        .send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
        .catch((error: unknown): never => {
          const isOtherKey = error instanceof sdk.IncorrectKeyException;
          if (!(error instanceof sdk.InvalidCiphertextException || isOtherKey)) rethrowAsKmsError("unwrap")(error);
          throw new SealBrokenError("AWS KMS did not wrap this data key with this key and context.");
        });
      if (!Plaintext) throw new KmsError("unwrap", "EmptyResponse");
      const dataKey = Uint8Array.from(Plaintext);
      Plaintext.fill(0);
      return dataKey;
    },
  };
}

/** The SDK's error contains the request and response, so only its name is retained. */
function rethrowAsKmsError(action: string): (error: unknown) => never {
  return (error) => {
    throw new KmsError(action, error instanceof Error ? error.name : "UnknownError");
  };
}
