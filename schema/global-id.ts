/** Ids in client input: global ids and, for types exposed over REST, the object's own id. */
import { InvalidRequestError } from "../src/platform/errors.ts";

/** Types with a global id, each with its noun for error messages. */
const NODES = {
  Account: "an account",
  AccountEvent: "an event",
  Agent: "an agent",
  AgentCredential: "a credential",
  AgentDispute: "a dispute",
  ApiToken: "an API token",
  CheckoutOrder: "an order",
  CheckoutPolicy: "a policy",
  ExploredMerchant: "an explored merchant",
  GatewayCall: "a call",
  MailAttachment: "an attachment",
  MailDraft: "a draft",
  MailMessage: "a message",
  MailRule: "a mail rule",
  MailThread: "a thread",
  Mailbox: "a mailbox",
  Merchant: "a merchant",
  OAuthClient: "an application",
  OAuthGrant: "a connected application",
  Passkey: "a passkey",
  PaymentCard: "a card",
  PurchaseApproval: "an approval",
  PurchaseToken: "a purchase token",
  Session: "a session",
  Trade: "a trade",
  Transaction: "a transaction",
  Webhook: "a webhook",
  WebhookDelivery: "a delivery",
} as const;
type NodeName = keyof typeof NODES;

/** Prefixes of own ids, for the types that accept them. */
const OWN_ID_PREFIXES = {
  CheckoutOrder: "ord_",
  MailMessage: "aem_",
  MailThread: "mth_",
  PurchaseApproval: "apr_",
} as const satisfies Partial<Record<NodeName, string>>;

export interface GlobalId {
  readonly typename: string;
  readonly id: string;
}

/**
 * Parses a global id: base64 of `<type>:<id>`. Passkeys have the longest ids: 1,023 bytes in base64url.
 * @throws {InvalidRequestError} if the value is not a global id of this service
 */
export function readGlobalId(globalId: string): GlobalId {
  const read = parseGlobalId(globalId);
  if (!read) throw new InvalidRequestError("id is not a global id of this service.", "id");
  return read;
}

/**
 * Returns the own id in a global id of the given type.
 * @param field path of the field in the input, for the error
 * @throws {InvalidRequestError} if the global id has another type
 */
export function extractId(type: NodeName, given: GlobalId, field = "id"): string {
  if (given.typename !== type) throw createWrongTypeError(type, field);
  return given.id;
}

/**
 * Returns the own id for a global id or an own id of the given type.
 * @param field path of the field in the input, for the error
 * @throws {InvalidRequestError} if the value is neither of them
 */
export function readOwnId(type: keyof typeof OWN_ID_PREFIXES, given: string, field = "id"): string {
  if (/^\w{1,80}$/.test(given) && given.startsWith(OWN_ID_PREFIXES[type])) return given;
  const read = parseGlobalId(given);
  if (!read) throw createWrongTypeError(type, field);
  return extractId(type, read, field);
}

function parseGlobalId(given: string): GlobalId | null {
  const [, typename, id] = /^(\w{1,40}):([\w-]{1,1400})$/.exec(Buffer.from(given, "base64").toString("latin1")) ?? [];
  return typename && id && Object.hasOwn(NODES, typename) ? { typename, id } : null;
}

function createWrongTypeError(type: NodeName, field: string): InvalidRequestError {
  return new InvalidRequestError(`${field} is not the id of ${NODES[type]}.`, field);
}
