/** Types of account events. A type never changes its meaning. */
import { type AccountViewer, requireScope, type Scope } from "../accounts/viewer.ts";

interface EventTypeRules {
  readonly description: string;
  /** Scope required to read such events where scopes are enforced. */
  readonly scope: Scope | null;
}

export const EVENT_TYPES = {
  "payment.settled": { description: "A payment was settled on its network.", scope: "transactions:read" },
  "payment.released": {
    description: "A payment was not settled and can no longer be settled.",
    scope: "transactions:read",
  },
  "payment.failed": { description: "A payment was rejected by its network.", scope: "transactions:read" },
  "trade.settled": { description: "A trade was executed.", scope: "transactions:read" },
  "trade.failed": {
    description: "A trade was not executed, or returned less than its minimum.",
    scope: "transactions:read",
  },
  "mail.received": { description: "The agent's mailbox received a message.", scope: "email:read" },
  "mail.sent": { description: "The mail server accepted a message from the agent.", scope: "email:read" },
  "mail.failed": { description: "A message from the agent could not be sent.", scope: "email:read" },
  "mail.bounced": { description: "A message from the agent bounced after it was sent.", scope: "email:read" },
  "mail.recipient_deferred": {
    description:
      "The delivery of a message from the agent to one recipient was deferred for the first time. It is retried.",
    scope: "email:read",
  },
  "mail.recipient_delivered": {
    description: "The mail server of one recipient reported the delivery of a message from the agent.",
    scope: "email:read",
  },
  "mail.recipient_failed": {
    description: "A message from the agent could not be sent to one recipient.",
    scope: "email:read",
  },
  "mail.recipient_bounced": {
    description: "A message from the agent bounced for one recipient after it was sent.",
    scope: "email:read",
  },
  "mail.recipient_complained": {
    description: "One recipient reported a message from the agent as spam.",
    scope: "email:read",
  },
  "agent.registered": { description: "The agent was registered on chain.", scope: "agent:read" },
  "agent.revoked": { description: "The agent was revoked.", scope: "agent:read" },
  "order.approval_required": {
    description: "An order requires the account owner's approval.",
    scope: "transactions:read",
  },
  "order.dispatched": { description: "An order is being placed with the merchant.", scope: "transactions:read" },
  "order.succeeded": { description: "The merchant confirmed an order.", scope: "transactions:read" },
  "order.failed": {
    description: "An order ended without a confirmation. `retryAction` states the next step.",
    scope: "transactions:read",
  },
  "order.explored": {
    description: "The exploration of a merchant succeeded. The merchant accepts orders.",
    scope: "transactions:read",
  },
  "account.frozen": {
    description: "The account was frozen. Nothing is paid, signed, ordered or sent for it.",
    scope: null,
  },
  "account.resumed": { description: "The freeze of the account ended.", scope: null },
  "webhook.test": { description: "A test event was requested.", scope: null },
} as const satisfies Readonly<Record<string, EventTypeRules>>;

export type EventType = keyof typeof EVENT_TYPES;

const ALL = Object.keys(EVENT_TYPES) as EventType[];

/**
 * Returns the requested types, or all types the viewer's credential may read if none are requested.
 * @throws {ForbiddenError} when the credential lacks the scope for a requested type
 */
export function selectVisibleTypes(viewer: AccountViewer, requestedTypes: readonly EventType[]): EventType[] {
  for (const type of requestedTypes) requireTypeScope(viewer, type);
  return requestedTypes.length > 0 ? [...requestedTypes] : ALL.filter((type) => canRead(viewer, type));
}

/**
 * Checks that the viewer may read the types of an endpoint. An empty list means all types.
 * @throws {ForbiddenError} when the credential lacks a scope
 */
export function requireTypeScopes(viewer: AccountViewer, types: readonly EventType[]): void {
  for (const type of types.length > 0 ? types : ALL) requireTypeScope(viewer, type);
}

function requireTypeScope(viewer: AccountViewer, type: EventType): void {
  const { scope } = EVENT_TYPES[type] as EventTypeRules;
  if (scope !== null) requireScope(viewer, scope);
}

function canRead(viewer: AccountViewer, type: EventType): boolean {
  const { scope } = EVENT_TYPES[type] as EventTypeRules;
  return scope === null || !viewer.strictScopes || viewer.scopes.includes(scope);
}
