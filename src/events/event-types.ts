/** Everything that may happen to an account and that programs may be told of. A type never changes its meaning. */
import { type AccountViewer, requireScope, type Scope } from "../accounts/viewer.ts";

interface EventTypeRules {
  readonly description: string;
  /** What a credential must hold to see such events, where scopes are enforced. */
  readonly scope: Scope | null;
}

export const EVENT_TYPES = {
  "payment.settled": { description: "A payment was taken by its network.", scope: "transactions:read" },
  "payment.released": { description: "A payment was not taken and never can be any more.", scope: "transactions:read" },
  "payment.failed": { description: "A payment was tried and refused by its network.", scope: "transactions:read" },
  "trade.settled": { description: "A trade was carried out.", scope: "transactions:read" },
  "trade.failed": {
    description: "A trade was not carried out, or brought less than its minimum.",
    scope: "transactions:read",
  },
  "mail.received": { description: "A message came to the agent's mailbox.", scope: "email:read" },
  "mail.sent": { description: "A message of the agent's was taken by the mail server.", scope: "email:read" },
  "mail.failed": { description: "A message of the agent's could not be sent.", scope: "email:read" },
  "mail.bounced": { description: "A message of the agent's was sent, and came back.", scope: "email:read" },
  "agent.registered": { description: "The agent was entered in the registry on chain.", scope: "agent:read" },
  "agent.revoked": { description: "The agent was revoked.", scope: "agent:read" },
  "order.approval_required": { description: "An order waits for its person's approval.", scope: "transactions:read" },
  "order.dispatched": { description: "An order is being placed at its shop.", scope: "transactions:read" },
  "order.succeeded": { description: "The shop has confirmed an order.", scope: "transactions:read" },
  "order.failed": {
    description: "An order came to its end without a confirmation; `retryAction` says what to do.",
    scope: "transactions:read",
  },
  "order.explored": { description: "A shop was explored and can be bought from.", scope: "transactions:read" },
  "webhook.test": { description: "Somebody asked for a test event.", scope: null },
} as const satisfies Readonly<Record<string, EventTypeRules>>;

export type EventType = keyof typeof EVENT_TYPES;

const ALL = Object.keys(EVENT_TYPES) as EventType[];

/**
 * The types a viewer asks for, as far as their credential may see them: all such types where none are named.
 * @throws {ForbiddenError} a type is named that the credential lacks the scope for
 */
export function visibleTypes(viewer: AccountViewer, asked: readonly EventType[]): EventType[] {
  for (const type of asked) requireTypeScope(viewer, type);
  return asked.length > 0 ? [...asked] : ALL.filter((type) => maySee(viewer, type));
}

/**
 * Refuses to tell others what the viewer may not see: `types` as an endpoint has them, where none means all.
 * @throws {ForbiddenError}
 */
export function requireTypes(viewer: AccountViewer, types: readonly EventType[]): void {
  for (const type of types.length > 0 ? types : ALL) requireTypeScope(viewer, type);
}

function requireTypeScope(viewer: AccountViewer, type: EventType): void {
  const { scope } = EVENT_TYPES[type] as EventTypeRules;
  if (scope !== null) requireScope(viewer, scope);
}

function maySee(viewer: AccountViewer, type: EventType): boolean {
  const { scope } = EVENT_TYPES[type] as EventTypeRules;
  return scope === null || !viewer.strictScopes || viewer.scopes.includes(scope);
}
