/** Public routes for verifiers: issuer metadata, signing keys, type metadata and status lists. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { errorBody } from "../../platform/http/error-response.ts";
import type { CredentialDeps } from "./deps.ts";
import { CREDENTIAL_KINDS, type CredentialKind, createTypeMetadata, credentialTypePath } from "./kinds.ts";
import { createStatusListCache, STATUS_LIST_TTL_SECONDS } from "./status-list.ts";

const KEYS_PATH = "/agents/credential-keys.json";
const KEYS_TTL_SECONDS = 300;
const TYPES_TTL_SECONDS = 3_600;
/** List ids are PostgreSQL integers. */
const LIST_ID = /^[1-9]\d{0,8}$/;

/** Registers the routes. They need no authentication and allow cross-origin requests. */
export function registerCredentialRoutes(
  app: FastifyInstance,
  deps: Pick<CredentialDeps, "db" | "site" | "signingKeys">,
): void {
  const statusList = createStatusListCache(deps);
  const sendJson = (reply: FastifyReply, ttlSeconds: number, type: string, body: object) =>
    setPublicHeaders(reply, ttlSeconds).type(type).send(JSON.stringify(body));

  // SD-JWT VC, "JWT VC Issuer Metadata".
  app.get("/.well-known/jwt-vc-issuer", async (_request, reply) => {
    const issuer = deps.site.baseUrl();
    return sendJson(reply, KEYS_TTL_SECONDS, "application/json", { issuer, jwks_uri: issuer + KEYS_PATH });
  });

  app.get(KEYS_PATH, async (_request, reply) => {
    // Creates the key if there is none, so that it is published before it signs a credential.
    await deps.signingKeys.current("credential");
    const keys = await deps.signingKeys.published("credential");
    return sendJson(reply, KEYS_TTL_SECONDS, "application/jwk-set+json", { keys });
  });

  app.get<{ Params: { kind: string } }>(credentialTypePath(":kind" as CredentialKind), async (request, reply) => {
    const kind = CREDENTIAL_KINDS.find((known) => known === request.params.kind);
    if (!kind) return sendNotFound(reply, "There is no such credential type.");
    return sendJson(reply, TYPES_TTL_SECONDS, "application/json", createTypeMetadata(deps.site.baseUrl(), kind));
  });

  app.get<{ Params: { id: string } }>("/agents/status-lists/:id", async (request, reply) => {
    const { id } = request.params;
    const token = LIST_ID.test(id) ? await statusList(Number(id)) : null;
    if (token === null) return sendNotFound(reply, "There is no such status list.");
    return setPublicHeaders(reply, STATUS_LIST_TTL_SECONDS).type("application/statuslist+jwt").send(token);
  });
}

function setPublicHeaders(reply: FastifyReply, ttlSeconds: number): FastifyReply {
  return reply.header("cache-control", `public, max-age=${ttlSeconds}`).header("access-control-allow-origin", "*");
}

function sendNotFound(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(404).send(errorBody("not_found", message));
}
