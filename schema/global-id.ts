/** Ids in client input: an object's global id, or its own id as REST, webhooks and guides show it. */
import { z } from "zod";
import { isStorableText } from "../src/platform/database/text.ts";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";

/** Types with a global id, each with its noun for error messages and the form of its own ids. */
const NODES = {
  Account: { noun: "an account", ownId: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/ },
  AccountEvent: { noun: "an event", ownId: /^evt_/ },
  Agent: { noun: "an agent", ownId: /^agt_/ },
  AgentCredential: { noun: "a credential", ownId: /^crd_/ },
  AgentDispute: { noun: "a dispute", ownId: /^dsp_/ },
  AccountExport: { noun: "an export", ownId: /^exp_/ },
  ApiToken: { noun: "an API token", ownId: /^tok_/ },
  ChainDifference: { noun: "a difference", ownId: /^dif_/ },
  DeclinedPayment: { noun: "a declined payment", ownId: /^dp_/ },
  CheckoutOrder: { noun: "an order", ownId: /^ord_/ },
  CheckoutPolicy: { noun: "a policy", ownId: /^pol_/ },
  ExploredMerchant: { noun: "an explored merchant", ownId: /^cat_/ },
  GatewayCall: { noun: "a call", ownId: /^gwc_/ },
  MailAttachment: { noun: "an attachment", ownId: /^mat_/ },
  MailDraft: { noun: "a draft", ownId: /^mdr_/ },
  MailMessage: { noun: "a message", ownId: /^aem_/ },
  MailRule: { noun: "a mail rule", ownId: /^mrl_/ },
  MailSuppression: { noun: "a suppression", ownId: /^msp_/ },
  MailThread: { noun: "a thread", ownId: /^mth_/ },
  Mailbox: { noun: "a mailbox", ownId: /^mbx_/ },
  Merchant: { noun: "a merchant", ownId: /^mer_/ },
  OAuthClient: { noun: "an application", ownId: /^(?:cl_|https:)/ },
  OAuthGrant: { noun: "a connected application", ownId: /^grt_/ },
  /** The credential id that the authenticator chose, in base64url. */
  Passkey: { noun: "a passkey", ownId: /^[\w-]{16,}$/ },
  OrderQuestion: { noun: "a question", ownId: /^qst_/ },
  PaymentCard: { noun: "a card", ownId: /^card_/ },
  PurchaseApproval: { noun: "an approval", ownId: /^apr_/ },
  PurchaseToken: { noun: "a purchase token", ownId: /^pt_/ },
  Session: { noun: "a session", ownId: /^ses_/ },
  Trade: { noun: "a trade", ownId: /^trd_/ },
  Transaction: { noun: "a transaction", ownId: /^tx_/ },
  Viewer: { noun: "a viewer", ownId: null },
  Wallet: { noun: "a wallet", ownId: /^wal_/ },
  Webhook: { noun: "a webhook", ownId: /^whk_/ },
  WebhookDelivery: { noun: "a delivery", ownId: /^whd_/ },
} as const;
export type NodeName = keyof typeof NODES;

const StorableId = z.string().refine(isStorableText, "holds text that is not valid Unicode, or a NUL character");

/**
 * Passkeys have the longest ids: 1,023 bytes in base64url. The id of an application can be the URL of its metadata
 * document.
 */
const ID_TEXT = /[\w-]{1,1400}|https:\/\/[\x21-\x7e]{1,492}/.source;
const OWN_ID = new RegExp(`^(?:${ID_TEXT})$`);
const GLOBAL_ID = new RegExp(`^(\\w{1,40}):(${ID_TEXT})$`);

export interface GlobalId {
  readonly typename: string;
  readonly id: string;
}

/**
 * Parses a global id: base64 of `<type>:<id>`.
 * @throws {InvalidRequestError} if the value is not a global id of this service
 */
export function readGlobalId(globalId: string): GlobalId {
  const read = parseGlobalId(globalId);
  if (!read) throw new InvalidRequestError("id is not a global id of this service.", "id");
  return read;
}

/** Returns the own id for a global id or an own id of the given type; null for anything else. */
export function findOwnId(type: NodeName, given: string): string | null {
  const read = parseGlobalId(given);
  if (read) return read.typename === type ? read.id : null;
  return OWN_ID.test(given) && NODES[type].ownId?.test(given) ? given : null;
}

/** Validation of an id in client input: accepts the global id or the own id of the type. The resolver receives the own id. */
export const idOf = (type: NodeName) =>
  z.string().transform((given, { addIssue }) => {
    const id = findOwnId(type, given);
    if (id !== null) return id;
    addIssue({ code: "custom", message: `is not the id of ${NODES[type].noun}` });
    return z.NEVER;
  });

/** Parses the global id of an argument. Returns an `InvalidValue` instead of throwing, so that its field reports it. */
export function decodeGlobalId(globalId: string): GlobalId {
  return parseGlobalId(globalId) ?? (new InvalidValue("ID", "is not a global id of this service") as never);
}

/**
 * Validation of an id that a REST route passes on as its client sent it. A global id of the type becomes the own id. Other text
 * remains unchanged: the operation reports an unknown id.
 */
export const idOrTextOf = (type: NodeName) => StorableId.transform((given) => findOwnId(type, given) ?? given);

/**
 * Returns the own id in a global id of the given type.
 * @param field path of the field in the input, for the error
 * @throws {InvalidRequestError} if the global id has another type
 */
export function extractId(type: NodeName, given: GlobalId, field = "id"): string {
  if (given.typename !== type) throw new InvalidRequestError(`${field} is not the id of ${NODES[type].noun}.`, field);
  return given.id;
}

function parseGlobalId(given: string): GlobalId | null {
  const [, typename, id] = GLOBAL_ID.exec(Buffer.from(given, "base64").toString("latin1")) ?? [];
  return typename && id && Object.hasOwn(NODES, typename) ? { typename, id } : null;
}

/** Returns the global id of an object. */
export function toGlobalId(type: NodeName, id: string): string {
  return Buffer.from(`${type}:${id}`).toString("base64");
}
