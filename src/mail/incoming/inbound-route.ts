/** `POST /api/mail/inbound`: a mail provider posts an agent's incoming message here, unmodified and signed. */
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../../platform/error-codes.ts";
import { errorBody } from "../../platform/http/error-response.ts";
import type { SecurityLog } from "../../platform/observability/security-log.ts";
import { admitRecipient, admitToOperator, type Recipient } from "./admit.ts";
import { cleanLine } from "./clean-text.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { type ReceiveResult, receiveMessage } from "./receive-message.ts";
import { MailRefusedError } from "./refusal.ts";
import { MessageTooLargeError, type SpooledMessage } from "./spool.ts";
import { beginSignatureCheck, readSignatureHeaders } from "./webhook-signature.ts";

const PATH = "/api/mail/inbound";
const MAX_RECIPIENTS = 100;
const MAX_ADDRESS_LENGTH = 320;
/** The spool enforces the message limit; Fastify's own limit is set just above it. */
const BODY_LIMIT_SLACK_BYTES = 1;

export type InboundRouteDeps = IncomingMailDeps & { readonly securityLog: SecurityLog };

/**
 * Registers the route. The body is the message (`message/rfc822`). Query parameters: `to`, once for each recipient; `from`, the
 * envelope sender (empty for bounces). For SPF: `ip` and `helo` of the sending host. Headers: `webhook-id`,
 * `webhook-timestamp`, `webhook-signature`. Responds with 200 and `{ messageIds, duplicates }` after the commit. A 4xx other
 * than 429 is permanent.
 *
 * @param secrets all valid signing secrets; none disables the route
 */
export function registerInboundRoute(app: FastifyInstance, deps: InboundRouteDeps, secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  app.register(async (scope) => {
    // Bodies stream to the spool, regardless of their content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const bodyLimit = deps.limits.maxMessageBytes + BODY_LIMIT_SLACK_BYTES;
    scope.post(PATH, { bodyLimit }, (request, reply) => handleInboundMessage(deps, secrets, request, reply));
  });
}

async function handleInboundMessage(
  deps: InboundRouteDeps,
  secrets: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const check = beginSignatureCheck(secrets, readSignatureHeaders(request.headers), Date.now());
  const logRejection = () =>
    deps.securityLog("signature.rejected", {
      outcome: "failure",
      requestId: request.id,
      ip: request.ip,
      details: { sender: "mail_provider" },
    });
  if (!check) {
    logRejection();
    const text = "The signature headers are missing or malformed, or the timestamp differs by more than five minutes.";
    return sendError(reply, 401, "unauthorized", text);
  }
  const query = readQuery(request.query as Record<string, unknown>);
  if (typeof query === "string") return sendError(reply, 400, "invalid_request", query);
  let spooled: SpooledMessage;
  try {
    const body = (request.body as Readable | undefined) ?? Readable.from([]);
    // Not destroyed: the rest of an oversized body precedes the next request on the connection.
    spooled = await deps.spool.write(body.iterator({ destroyOnReturn: false }), {
      maxBytes: deps.limits.maxMessageBytes,
      onChunk: check.update,
    });
  } catch (error) {
    if (!(error instanceof MessageTooLargeError)) throw error;
    const text = `The message exceeds ${deps.limits.maxMessageBytes} bytes. It was not stored.`;
    return sendError(reply, 413, "payload_too_large", text);
  }
  try {
    if (!check.isValid()) {
      logRejection();
      return sendError(reply, 401, "unauthorized", "The signature does not match.");
    }
    if (spooled.sizeBytes === 0)
      return sendError(reply, 400, "invalid_request", "The body is empty. Send the message as the body.");
    const { from, ip: remoteAddress, helo } = query;
    const envelope = { from, remoteAddress, helo };
    const to = query.to.filter((address) => !deps.operatorMail.handles(address));
    const receive = async () =>
      receiveMessage(deps, { envelope, recipients: await admitRecipients(deps, { from, to }), spooled });
    if (to.length === query.to.length) return await receive();
    const forward = async (): Promise<ReceiveResult> => {
      await admitToOperator(deps, from);
      await deps.operatorMail.forward({ spooled, envelope });
      return { messageIds: [], duplicates: 0 };
    };
    // Mailboxes first: when the provider retries, they ignore the duplicate. The operator's server may not.
    return to.length === 0 ? await forward() : await receiveThenForward(receive, forward);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    return sendMailRefusal(reply, error);
  } finally {
    await spooled.remove();
  }
}

/**
 * Stores a message for mailboxes, then passes it on to the operator. A permanent refusal of one does not withhold it from the other.
 * @throws {MailRefusedError} temporary when either refuses temporarily, so the provider retries; permanent when both refuse
 */
async function receiveThenForward(
  receive: () => Promise<ReceiveResult>,
  forward: () => Promise<ReceiveResult>,
): Promise<ReceiveResult> {
  const refusalOf = (error: unknown) => {
    if (!(error instanceof MailRefusedError) || error.responseCode < 500) throw error;
    return error;
  };
  const received = await receive().catch(refusalOf);
  const forwarded = await forward().catch(refusalOf);
  if (!(received instanceof MailRefusedError)) return received;
  if (forwarded instanceof MailRefusedError) throw received;
  return forwarded;
}

interface PostedEnvelope {
  readonly from: string;
  readonly to: readonly string[];
  readonly ip: string | null;
  readonly helo: string | null;
}

/** Parses the query parameters. Returns an error message if they are invalid. */
function readQuery(query: Record<string, unknown>): PostedEnvelope | string {
  const one = (name: string): string | null | undefined => {
    const value = query[name] ?? null;
    return value === null || typeof value === "string" ? value : undefined;
  };
  const to = [query["to"] ?? []].flat().filter((value) => typeof value === "string");
  if (to.length === 0 || to.length > MAX_RECIPIENTS) return `to must name 1 to ${MAX_RECIPIENTS} recipients.`;
  const [from, ip, helo] = [one("from"), one("ip"), one("helo")];
  if (
    from === undefined ||
    from === null ||
    from.length > MAX_ADDRESS_LENGTH ||
    cleanLine(from, MAX_ADDRESS_LENGTH) !== from
  ) {
    return "from must be the envelope sender; empty for bounces.";
  }
  if (ip === undefined || (ip !== null && isIP(ip) === 0)) return "ip must be an IP address.";
  if (helo === undefined || (helo !== null && !/^[\w.:[\]-]{1,255}$/.test(helo))) return "helo must be a host name.";
  return { from, to, ip, helo };
}

/**
 * Returns the mailboxes that accept the message.
 * @throws {MailRefusedError} permanent (5xx) when none accepts it; temporary (4xx) when any refuses temporarily
 */
async function admitRecipients(
  deps: IncomingMailDeps,
  { from, to }: Pick<PostedEnvelope, "from" | "to">,
): Promise<Recipient[]> {
  const recipients = new Map<string, Recipient>();
  let refusal: MailRefusedError | null = null;
  for (const address of to) {
    try {
      const mailbox = await admitRecipient(deps, from, address);
      recipients.set(mailbox.id, mailbox);
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      // The provider retries for all recipients; mailboxes that already have the message ignore the duplicate.
      if (error.responseCode < 500) throw error;
      refusal = error;
    }
  }
  if (recipients.size === 0 && refusal) throw refusal;
  return [...recipients.values()];
}

function sendMailRefusal(reply: FastifyReply, { responseCode, message }: MailRefusedError) {
  const text = message.replace(/^\d\.\d\.\d /, "");
  if (responseCode < 500) return sendError(reply.header("retry-after", "60"), 429, "rate_limited", text);
  if (responseCode === 552) return sendError(reply, 413, "payload_too_large", text);
  const isUnknown = message.startsWith("5.1.1");
  return sendError(reply, isUnknown ? 404 : 403, isUnknown ? "not_found" : "forbidden", text);
}

function sendError(reply: FastifyReply, status: number, error: ErrorCode, text: string): FastifyReply {
  return reply.code(status).send(errorBody(error, text));
}
