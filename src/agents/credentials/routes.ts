/** What is published for verifiers: who issues, with which keys, what the kinds of credential mean, and which are revoked. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { errorBody } from "../../platform/http/error-response.ts";
import type { CredentialDeps } from "./deps.ts";
import { CREDENTIAL_KINDS, type CredentialKind, credentialTypePath, typeMetadata } from "./kinds.ts";
import { createStatusLists, STATUS_LIST_TTL_SECONDS } from "./status-list.ts";

const KEYS_PATH = "/agents/credential-keys.json";
const KEYS_TTL_SECONDS = 300;
const TYPES_TTL_SECONDS = 3_600;
/** Ids of lists are PostgreSQL integers. */
const LIST_ID = /^[1-9]\d{0,8}$/;

/** Registers the routes: open to anybody, pages of other sites included. */
export function registerCredentialRoutes(
  app: FastifyInstance,
  deps: Pick<CredentialDeps, "db" | "site" | "signingKeys">,
): void {
  const statusList = createStatusLists(deps);
  const json = (reply: FastifyReply, ttlSeconds: number, type: string, body: object) =>
    publish(reply, ttlSeconds).type(type).send(JSON.stringify(body));

  // SD-JWT VC, "JWT VC Issuer Metadata".
  app.get("/.well-known/jwt-vc-issuer", async (_request, reply) => {
    const issuer = deps.site.baseUrl();
    return json(reply, KEYS_TTL_SECONDS, "application/json", { issuer, jwks_uri: issuer + KEYS_PATH });
  });

  app.get(KEYS_PATH, async (_request, reply) => {
    // Made if there is none: what is published is there before anything is signed with it.
    await deps.signingKeys.current("credential");
    const keys = await deps.signingKeys.published("credential");
    return json(reply, KEYS_TTL_SECONDS, "application/jwk-set+json", { keys });
  });

  app.get<{ Params: { kind: string } }>(credentialTypePath(":kind" as CredentialKind), async (request, reply) => {
    const kind = CREDENTIAL_KINDS.find((known) => known === request.params.kind);
    if (!kind) return missing(reply, "There is no such kind of credential.");
    return json(reply, TYPES_TTL_SECONDS, "application/json", typeMetadata(deps.site.baseUrl(), kind));
  });

  app.get<{ Params: { id: string } }>("/agents/status-lists/:id", async (request, reply) => {
    const { id } = request.params;
    const token = LIST_ID.test(id) ? await statusList(Number(id)) : null;
    if (token === null) return missing(reply, "There is no such status list.");
    return publish(reply, STATUS_LIST_TTL_SECONDS).type("application/statuslist+jwt").send(token);
  });
}

function publish(reply: FastifyReply, ttlSeconds: number): FastifyReply {
  return reply.header("cache-control", `public, max-age=${ttlSeconds}`).header("access-control-allow-origin", "*");
}

function missing(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(404).send(errorBody("not_found", message));
}
