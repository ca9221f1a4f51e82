import type { FastifyInstance } from "fastify";
import type { SigningKeys } from "../signing-keys.ts";

/** `GET /.well-known/jwks.json`: the public keys of this service's login identity tokens (RFC 7517, section 5). */
export function registerJwksRoute(app: FastifyInstance, signingKeys: SigningKeys): void {
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    const keys = await signingKeys.published("login_token");
    return reply
      .header("cache-control", "public, max-age=300")
      .header("access-control-allow-origin", "*")
      .type("application/jwk-set+json")
      .send(JSON.stringify({ keys }));
  });
}
