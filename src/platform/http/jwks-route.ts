import type { FastifyInstance } from "fastify";
import type { KeyPurpose, SigningKeys } from "../crypto/signing-keys.ts";

/**
 * The public keys of one kind of this service's signatures (RFC 7517, section 5): login identity tokens at
 * `GET /.well-known/jwks.json`, unless another path and purpose are given.
 */
export function registerJwksRoute(
  app: FastifyInstance,
  signingKeys: SigningKeys,
  path = "/.well-known/jwks.json",
  purpose: KeyPurpose = "login_token",
): void {
  app.get(path, async (_request, reply) => {
    const keys = await signingKeys.published(purpose);
    return reply
      .header("cache-control", "public, max-age=300")
      .header("access-control-allow-origin", "*")
      .type("application/jwk-set+json")
      .send(JSON.stringify({ keys }));
  });
}
