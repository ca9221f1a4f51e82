import type { FastifyInstance } from "fastify";
import type { AgentDeps } from "./deps.ts";
import { sendPublicFile } from "./public-file.ts";
import { AGENT_RECORD_ID, createRegistrationFile, IMAGE_PATH, registrationPath } from "./registration-file.ts";

const IMAGE_TTL_SECONDS = 86_400;

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
    const type = "application/json; charset=utf-8";
    return sendPublicFile(request, reply, file, { type, notFound: "There is no such agent." });
  });
}
