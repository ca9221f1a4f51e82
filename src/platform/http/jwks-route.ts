import type { FastifyInstance } from "fastify";
import type { KeyPurpose, SigningKeys } from "../crypto/signing-keys.ts";

/**
 * Registers the JWK Set of the public keys of one purpose (RFC 7517, section 5). The default is the key set of login tokens at
 * `GET /.well-known/jwks.json`.
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
