import type { FastifyInstance } from "fastify";
import type { AgentDeps } from "./deps.ts";
import { createAgentDocument, createOwnerDocument } from "./did-document.ts";
import { sendPublicFile } from "./public-file.ts";
import { AGENT_RECORD_ID } from "./registration-file.ts";

/** Format of account ids. Other ids are not looked up. */
const ACCOUNT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Resolvers parse the body regardless of its type; did:web lets the server choose one of DID 1.0, section 6.
const FILE = { type: "application/did+ld+json; charset=utf-8", notFound: "There is no such identifier." };

/** Registers `GET /users/<uuid>/did.json` and `GET /agents/<agt id>/did.json`, at which did:web resolves the identifiers. */
export function registerDidRoutes(
  app: FastifyInstance,
  deps: Pick<AgentDeps, "db" | "site" | "wallets" | "chains">,
): void {
  app.get<{ Params: { id: string } }>("/users/:id/did.json", async (request, reply) => {
    const { id } = request.params;
    const document = ACCOUNT_ID.test(id) ? await createOwnerDocument(deps, id) : null;
    return sendPublicFile(request, reply, document, FILE);
  });
  app.get<{ Params: { id: string } }>("/agents/:id/did.json", async (request, reply) => {
    const { id } = request.params;
    const document = AGENT_RECORD_ID.test(id) ? await createAgentDocument(deps, id) : null;
    return sendPublicFile(request, reply, document, FILE);
  });
}
