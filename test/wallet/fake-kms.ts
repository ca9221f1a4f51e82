/** A fake AWS KMS for the real SDK: the JSON protocol over HTTP, with Encrypt and Decrypt of symmetric keys. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Call {
  readonly action: string;
  readonly context: Record<string, string>;
}

/** Starts a KMS with the keys `keyIds`. It records its calls. */
export async function startFakeKms(keyIds: readonly string[]) {
  const keys = new Map(keyIds.map((id) => [id, randomBytes(32)]));
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    const context = (input["EncryptionContext"] ?? {}) as unknown as Record<string, string>;
    const action = String(request.headers["x-amz-target"]).replace("TrentService.", "");
    calls.push({ action, context });
    const aad = Buffer.from(JSON.stringify(Object.entries(context).sort()));
    const respond = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify(body));
    };
    const keyId = input["KeyId"] ?? "";
    const key = keys.get(keyId);
    if (!key) return respond(400, { __type: "NotFoundException", message: "no such key" });
    if (action === "Encrypt") {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad);
      const body = Buffer.concat([cipher.update(input["Plaintext"] ?? "", "base64"), cipher.final()]);
      const blob = Buffer.concat([nonce, cipher.getAuthTag(), body]);
      return respond(200, { KeyId: keyId, CiphertextBlob: blob.toString("base64") });
    }
    try {
      const blob = Buffer.from(input["CiphertextBlob"] ?? "", "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, blob.subarray(0, 12)).setAAD(aad);
      decipher.setAuthTag(blob.subarray(12, 28));
      const plaintext = Buffer.concat([decipher.update(blob.subarray(28)), decipher.final()]);
      return respond(200, { KeyId: keyId, Plaintext: plaintext.toString("base64") });
    } catch {
      return respond(400, { __type: "InvalidCiphertextException", message: "ciphertext does not belong here" });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
