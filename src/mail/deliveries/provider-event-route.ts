/** `POST /api/mail/events`: a mail provider posts what became of sent messages, signed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { InvalidRequestError } from "../../platform/errors.ts";
import { errorBody } from "../../platform/http/error-response.ts";
import type { SecurityLog } from "../../platform/observability/security-log.ts";
import { beginSignatureCheck, readSignatureHeaders } from "../incoming/webhook-signature.ts";
import { applyProviderEvent, type ProviderEventDeps, type ProviderEventOutcome } from "./apply-provider-event.ts";
import { type ProviderEvent, readProviderEvents } from "./provider-event.ts";
import type { ProviderEventMetrics } from "./provider-event-metrics.ts";

const PATH = "/api/mail/events";
const BODY_LIMIT_BYTES = 1_048_576;

export type ProviderEventRouteDeps = ProviderEventDeps & {
  readonly securityLog: SecurityLog;
  readonly metrics: ProviderEventMetrics;
};

/**
 * Registers the route. The body is an event or a list (`provider-event.ts`). Headers: `webhook-id`, `webhook-timestamp`,
 * `webhook-signature`. Responds with 200 and the outcome of each event after the commits, also if no delivery matches. Otherwise
 * the provider would retry.
 *
 * @param secrets all valid signing secrets; none disables the route
 */
export function registerProviderEventRoute(
  app: FastifyInstance,
  deps: ProviderEventRouteDeps,
  secrets: readonly string[],
): void {
  if (secrets.length === 0) return;
  app.register(async (scope) => {
    // The signature covers the bytes of the body, regardless of the content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(PATH, { bodyLimit: BODY_LIMIT_BYTES }, (request, reply) =>
      handleProviderEvents(deps, secrets, request, reply),
    );
  });
}

async function handleProviderEvents(
  deps: ProviderEventRouteDeps,
  secrets: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isSigned(secrets, request, body)) {
    deps.securityLog("signature.rejected", {
      outcome: "failure",
      requestId: request.id,
      ip: request.ip,
      details: { sender: "mail_provider" },
    });
    const text =
      "The signature headers are missing or malformed, the timestamp differs by more than five minutes, or the signature does not match. No event was applied.";
    return reply.code(401).send(errorBody("unauthorized", text));
  }
  let events: readonly ProviderEvent[];
  try {
    events = readProviderEvents(body);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const { message, field } = error;
    return reply
      .code(400)
      .send({ ...errorBody("invalid_request", `${message} No event was applied.`), ...(field ? { field } : {}) });
  }
  return { events: await applyEvents(deps, events) };
}

function isSigned(secrets: readonly string[], { headers }: FastifyRequest, body: Buffer): boolean {
  const check = beginSignatureCheck(secrets, readSignatureHeaders(headers), Date.now());
  check?.update(body);
  return check?.isValid() ?? false;
}

/** Applies the events in the order in which they occurred. Returns the outcomes in the order of the list. */
async function applyEvents(deps: ProviderEventRouteDeps, events: readonly ProviderEvent[]) {
  const outcomes = new Map<ProviderEvent, ProviderEventOutcome>();
  for (const event of events.toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime())) {
    const outcome = await applyProviderEvent(deps, event);
    deps.metrics.count(event.type, outcome);
    outcomes.set(event, outcome);
  }
  return events.map((event) => ({ id: event.id, outcome: outcomes.get(event) }));
}
