import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { errorBody } from "../platform/http/error-response.ts";
import type { AgentDeps } from "./deps.ts";
import { PICTURE_PATH, registrationFile, registrationPath } from "./registration-file.ts";

/** A mailbox, a new name or a revocation is seen this late at most. */
const TTL_SECONDS = 60;
const PICTURE_TTL_SECONDS = 86_400;
/** As ids are made; anything else is nobody's. */
const AGENT_RECORD_ID = /^agt_\d{1,16}_\w{1,40}$/;

/**
 * Registers `GET /agents/<agt id>/registration.json`, and the picture it names: open to anybody, pages of other sites included.
 * @param picture SVG
 */
export function registerRegistrationRoute(
  app: FastifyInstance,
  deps: Pick<AgentDeps, "db" | "site" | "wallets">,
  picture: string,
): void {
  app.get(PICTURE_PATH, (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${PICTURE_TTL_SECONDS}`)
      .header("access-control-allow-origin", "*")
      .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type("image/svg+xml")
      .send(picture),
  );

  app.get<{ Params: { id: string } }>(registrationPath(":id"), async (request, reply) => {
    const { id } = request.params;
    const file = AGENT_RECORD_ID.test(id) ? await registrationFile(deps, id) : null;
    reply.header("access-control-allow-origin", "*");
    if (file === null) return reply.code(404).send(errorBody("not_found", "There is no such agent."));
    const body = JSON.stringify(file);
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    reply.header("cache-control", `public, max-age=${TTL_SECONDS}`).header("etag", etag);
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(body);
  });
}
