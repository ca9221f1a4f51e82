import { InvalidRequestError } from "../src/platform/errors.ts";

/** The types that have a global id. The longest ids are those of passkeys: 1,023 bytes in base64url. */
const NODES = [
  "Account",
  "AccountEvent",
  "Agent",
  "AgentCredential",
  "AgentDispute",
  "ApiToken",
  "CheckoutOrder",
  "CheckoutPolicy",
  "GatewayCall",
  "MailAttachment",
  "MailDraft",
  "MailMessage",
  "MailRule",
  "MailThread",
  "Mailbox",
  "Merchant",
  "OAuthClient",
  "OAuthGrant",
  "Passkey",
  "PaymentCard",
  "PurchaseApproval",
  "PurchaseToken",
  "Session",
  "Trade",
  "Transaction",
  "Webhook",
  "WebhookDelivery",
];

/**
 * Reads a global id: base64 of `<type>:<id>`.
 * @throws {InvalidRequestError} when it is none of this service's.
 */
export function readGlobalId(globalId: string): { typename: string; id: string } {
  const [, typename, id] =
    /^(\w{1,40}):([\w-]{1,1400})$/.exec(Buffer.from(globalId, "base64").toString("latin1")) ?? [];
  if (!typename || !id || !NODES.includes(typename)) {
    throw new InvalidRequestError("id is not a global id of this service.", "id");
  }
  return { typename, id };
}
