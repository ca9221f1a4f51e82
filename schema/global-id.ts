/** Ids as clients give them: global ids, and where REST shows them too, an object's own. */
import { InvalidRequestError } from "../src/platform/errors.ts";

/** The types that have a global id, each as a person calls one of them. */
const NODES = {
  Account: "an account",
  AccountEvent: "an event",
  Agent: "an agent",
  AgentCredential: "a credential",
  AgentDispute: "a dispute",
  ApiToken: "an API token",
  CheckoutOrder: "an order",
  CheckoutPolicy: "a policy",
  GatewayCall: "a call",
  MailAttachment: "an attachment",
  MailDraft: "a draft",
  MailMessage: "a message",
  MailRule: "a mail rule",
  MailThread: "a thread",
  Mailbox: "a mailbox",
  Merchant: "a shop",
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

/** What begins the own ids of types that may be named by them. */
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
 * Reads a global id: base64 of `<type>:<id>`. The longest ids are those of passkeys: 1,023 bytes in base64url.
 * @throws {InvalidRequestError} when it is none of this service's.
 */
export function readGlobalId(globalId: string): GlobalId {
  const read = asGlobalId(globalId);
  if (!read) throw new InvalidRequestError("id is not a global id of this service.", "id");
  return read;
}

/**
 * The own id of what is named by a global id.
 * @param field the place in the input, for the error
 * @throws {InvalidRequestError} when it is another type's
 */
export function idOf(type: NodeName, given: GlobalId, field = "id"): string {
  if (given.typename !== type) throw notOf(type, field);
  return given.id;
}

/**
 * The own id of what is named by a global id or by that own id.
 * @param field the place in the input, for the error
 * @throws {InvalidRequestError} when it is neither kind of id of that type
 */
export function readOwnId(type: keyof typeof OWN_ID_PREFIXES, given: string, field = "id"): string {
  if (/^\w{1,80}$/.test(given) && given.startsWith(OWN_ID_PREFIXES[type])) return given;
  const read = asGlobalId(given);
  if (!read) throw notOf(type, field);
  return idOf(type, read, field);
}

function asGlobalId(given: string): GlobalId | null {
  const [, typename, id] = /^(\w{1,40}):([\w-]{1,1400})$/.exec(Buffer.from(given, "base64").toString("latin1")) ?? [];
  return typename && id && Object.hasOwn(NODES, typename) ? { typename, id } : null;
}

function notOf(type: NodeName, field: string): InvalidRequestError {
  return new InvalidRequestError(`${field} is not the id of ${NODES[type]}.`, field);
}
