/** Operations that a freeze cannot recall, with what can still happen to each. */
import {
  IN_FLIGHT_KINDS,
  IN_FLIGHT_OUTLOOKS,
  type InFlight,
  type InFlightKind,
  type InFlightOutlook,
} from "../../src/accounts/freeze/in-flight.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { listInFlightOrders } from "../../src/checkout/orders/in-flight-orders.ts";
import { listInFlightMail } from "../../src/mail/outgoing/in-flight-mail.ts";
import { listInFlightPayments } from "../../src/payments/in-flight-payments.ts";
import { listInFlightTrades } from "../../src/trade/in-flight-trades.ts";
import { AccountNode } from "../accounts/accounts.ts";
import { builder } from "../builder.ts";
import type { SchemaDeps } from "../context.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { wireEnum } from "../wire-enum.ts";

const InFlightKindEnum = wireEnum<InFlightKind>("InFlightKind", "The kind of an operation in flight.", IN_FLIGHT_KINDS);
const InFlightOutlookEnum = wireEnum<InFlightOutlook>(
  "InFlightOutlook",
  "What can still happen to an operation in flight while the account is frozen.",
  IN_FLIGHT_OUTLOOKS,
);

export const InFlightType = builder.objectRef<InFlight>("InFlightOperation").implement({
  description: "An operation that began before and has not ended. A freeze does not recall what has left the service.",
  fields: (t) => ({
    kind: t.expose("kind", { type: InFlightKindEnum, description: "The kind." }),
    operationId: t.exposeID("id", { description: "The id of the transaction, trade, order or message." }),
    accountId: t.exposeID("accountId", { description: "The id of the account." }),
    outlook: t.expose("outlook", {
      type: InFlightOutlookEnum,
      description: "What can still happen while the account is frozen.",
    }),
    amountUsd: t.field({
      type: "Usd",
      nullable: true,
      description: "The maximum amount in US dollars. Null for orders and email.",
      resolve: ({ amountMicroUsd }) => amountMicroUsd,
    }),
    counterparty: t.exposeString("counterparty", {
      nullable: true,
      description: "The seller, recipient or merchant; for a trade, its tokens. Null if unknown.",
    }),
    until: t.expose("until", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp after which it can no longer happen. Null if there is none.",
    }),
  }),
});

/** Returns the operations in flight of an account, or of all accounts if it is null: at most 200 of each of four groups. */
export async function listInFlight(deps: SchemaDeps, accountId: string | null): Promise<InFlight[]> {
  const lists = [listInFlightPayments, listInFlightTrades, listInFlightOrders, listInFlightMail];
  return (await Promise.all(lists.map((list) => list(deps, accountId)))).flat();
}

builder.objectField(AccountNode, "inFlight", (t) =>
  t.field({
    type: [InFlightType],
    complexity: { field: 20, multiplier: 20 },
    description:
      "The operations in flight, at most 200 of each kind, with what can still happen to each during a freeze.",
    resolve: (_account, _args, context) =>
      listInFlight(context.deps, requireScopedAccountId(context, "transactions:read")),
  }),
);

builder.queryField("inFlightOperations", (t) =>
  t.field({
    type: [InFlightType],
    complexity: { field: 20, multiplier: 20 },
    description:
      "The operations in flight of an account or of the whole service, at most 200 of each kind. Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.",
    args: {
      accountId: t.arg.id({ description: "The account. Defaults to all accounts.", validate: idOf("Account") }),
    },
    resolve: (_root, { accountId }, { deps, viewer }) => {
      requireReviewer(viewer);
      return listInFlight(deps, accountId ?? null);
    },
  }),
);
