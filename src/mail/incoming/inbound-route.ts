/** `POST /api/mail/inbound`: a provider that took an agent's mail posts it here as it came, signed. */
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../../platform/error-codes.ts";
import { errorBody } from "../../platform/http/error-response.ts";
import { admitRecipient, type Recipient } from "./admit.ts";
import { cleanLine } from "./clean-text.ts";
import type { IncomingMailDeps } from "./deps.ts";
import { receiveMessage } from "./receive.ts";
import { MailRefusedError } from "./refusal.ts";
import { MessageTooLargeError, type SpooledMessage } from "./spool.ts";
import { beginSignatureCheck } from "./webhook-signature.ts";

const PATH = "/api/mail/inbound";
const MAX_RECIPIENTS = 100;
const MAX_ADDRESS_LENGTH = 320;
/** For 35 MB on a slow line. */
const BODY_LIMIT_SLACK_BYTES = 1;

/**
 * The body is the message (`message/rfc822`). Query: `to`, once for each recipient, `from`, the envelope's sender (empty for
 * bounces), and, for SPF, `ip` and `helo` of who sent it. Headers `webhook-id`, `webhook-timestamp`, `webhook-signature`.
 * Answers 200 with `{ messageIds, duplicates }` once it is committed; 4xx, but 429, that it will not be taken either way.
 *
 * @param secret null: there is no such route
 */
export function registerInboundRoute(app: FastifyInstance, deps: IncomingMailDeps, secret: string | null): void {
  if (secret === null) return;
  app.register(async (scope) => {
    // Bodies stream to the spool, whatever they are called.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const bodyLimit = deps.limits.maxMessageBytes + BODY_LIMIT_SLACK_BYTES;
    scope.post(PATH, { bodyLimit }, (request, reply) => takePosted(deps, secret, request, reply));
  });
}

async function takePosted(deps: IncomingMailDeps, secret: string, request: FastifyRequest, reply: FastifyReply) {
  const { headers } = request;
  const header = (name: string) => (typeof headers[name] === "string" ? headers[name] : "");
  const check = beginSignatureCheck(
    secret,
    { id: header("webhook-id"), timestamp: header("webhook-timestamp"), signature: header("webhook-signature") },
    Date.now(),
  );
  if (!check) return refuse(reply, 401, "unauthorized", "The signature is missing, or its time is not now.");
  const query = readQuery(request.query as Record<string, unknown>);
  if (typeof query === "string") return refuse(reply, 400, "invalid_request", query);
  let spooled: SpooledMessage;
  try {
    const body = (request.body as Readable | undefined) ?? Readable.from([]);
    // Not destroyed: what is left of one that is too large stands before the connection's next request.
    spooled = await deps.spool.write(body.iterator({ destroyOnReturn: false }), {
      maxBytes: deps.limits.maxMessageBytes,
      onChunk: check.update,
    });
  } catch (error) {
    if (!(error instanceof MessageTooLargeError)) throw error;
    const text = `A message may have at most ${deps.limits.maxMessageBytes} bytes.`;
    return refuse(reply, 413, "payload_too_large", text);
  }
  try {
    if (!check.isRight()) return refuse(reply, 401, "unauthorized", "The signature is not right.");
    if (spooled.sizeBytes === 0)
      return refuse(reply, 400, "invalid_request", "The body is empty; it must be the message.");
    const recipients = await admitted(deps, query);
    const { from, ip: remoteAddress, helo } = query;
    return await receiveMessage(deps, { envelope: { from, remoteAddress, helo }, recipients, spooled });
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    return answerRefusal(reply, error);
  } finally {
    await spooled.remove();
  }
}

interface PostedEnvelope {
  readonly from: string;
  readonly to: readonly string[];
  readonly ip: string | null;
  readonly helo: string | null;
}

/** @returns what is wrong with it, in words */
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
    return "from must be the envelope's sender, empty for bounces.";
  }
  if (ip === undefined || (ip !== null && isIP(ip) === 0)) return "ip must be an IP address.";
  if (helo === undefined || (helo !== null && !/^[\w.:[\]-]{1,255}$/.test(helo))) return "helo must be a host name.";
  return { from, to, ip, helo };
}

/** @throws {MailRefusedError} when none of the recipients takes it; for now, if any of them would later */
async function admitted(deps: IncomingMailDeps, { from, to }: PostedEnvelope): Promise<Recipient[]> {
  const recipients = new Map<string, Recipient>();
  let refusal: MailRefusedError | null = null;
  for (const address of to) {
    try {
      const mailbox = await admitRecipient(deps, from, address);
      recipients.set(mailbox.id, mailbox);
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      // All are asked again then: those who have it by now drop it.
      if (error.responseCode < 500) throw error;
      refusal = error;
    }
  }
  if (recipients.size === 0 && refusal) throw refusal;
  return [...recipients.values()];
}

function answerRefusal(reply: FastifyReply, { responseCode, message }: MailRefusedError) {
  const text = message.replace(/^\d\.\d\.\d /, "");
  if (responseCode < 500) return refuse(reply.header("retry-after", "60"), 429, "rate_limited", text);
  const isUnknown = message.startsWith("5.1.1");
  return refuse(reply, isUnknown ? 404 : 403, isUnknown ? "not_found" : "forbidden", text);
}

function refuse(reply: FastifyReply, status: number, error: ErrorCode, text: string): FastifyReply {
  return reply.code(status).send(errorBody(error, text));
}
