import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { errorBody } from "../platform/http/error-response.ts";
import type { AgentDeps } from "./deps.ts";
import { createRegistrationFile, IMAGE_PATH, registrationPath } from "./registration-file.ts";

/** Maximum delay until clients see a new mailbox, name or revocation. */
const TTL_SECONDS = 60;
const IMAGE_TTL_SECONDS = 86_400;
/** Format of agent record ids. Other ids are not looked up. */
const AGENT_RECORD_ID = /^agt_\d{1,16}_\w{1,40}$/;

/**
 * Registers `GET /agents/<agt id>/registration.json` and the image it refers to. They need no authentication and allow
 * cross-origin requests.
 * @param image the image as SVG
 */
export function registerRegistrationRoute(
  app: FastifyInstance,
  deps: Pick<AgentDeps, "db" | "site" | "wallets" | "agents">,
  image: string,
): void {
  app.get(IMAGE_PATH, (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${IMAGE_TTL_SECONDS}`)
      .header("access-control-allow-origin", "*")
      .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type("image/svg+xml")
      .send(image),
  );

  app.get<{ Params: { id: string } }>(registrationPath(":id"), async (request, reply) => {
    const { id } = request.params;
    const file = AGENT_RECORD_ID.test(id) ? await createRegistrationFile(deps, id) : null;
    reply.header("access-control-allow-origin", "*");
    if (file === null) return reply.code(404).send(errorBody("not_found", "There is no such agent."));
    const body = JSON.stringify(file);
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    reply.header("cache-control", `public, max-age=${TTL_SECONDS}`).header("etag", etag);
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(body);
  });
}
