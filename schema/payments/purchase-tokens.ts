import type { Prisma, PurchaseToken } from "../../generated/prisma/client.ts";
import { createPurchaseToken } from "../../src/payments/purchase-tokens/create.ts";
import { revokePurchaseToken } from "../../src/payments/purchase-tokens/revoke.ts";
import { STATE_IN_SQL, stateOf } from "../../src/payments/purchase-tokens/state.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import type { Context } from "../context.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { orderedBy, orderType, type PageOrder } from "../list-order.ts";
import { requireAccountId, requireScopedAccountId } from "../owner.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";

const PurchaseTokenStatusEnum = wireEnum("PurchaseTokenStatus", "The status of a purchase token.", {
  unused: "The token has no payment yet and can make one.",
  consumed: "The token has a settled or outstanding payment.",
  expired: "The token expired after five minutes without a payment.",
  revoked: "The token was revoked before it made a payment.",
});

export const PurchaseTokenFilter = builder.inputType("PurchaseTokenFilter", {
  description: "Filters for purchase tokens. Filters are combined with AND.",
  fields: (t) => ({
    statuses: t.field({ type: [PurchaseTokenStatusEnum], description: "The statuses of the tokens. Default: all." }),
    networks: t.field({ type: ["NetworkName"], description: "The networks of the payments. Default: all." }),
  }),
});

/** Pages of an account's purchase tokens by account id. */
const tokensOf = createConnectionReader(
  {
    ...{ table: "purchase_tokens", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: { network: "child.network" },
  },
  ({ deps }, selection: Prisma.PurchaseTokenDefaultArgs, ids) =>
    deps.db.prisma.purchaseToken.findMany({ ...selection, where: { id: { in: ids } } }),
);

/** Returns the list of an account's purchase tokens. */
export function purchaseTokensOf(
  context: Context,
  accountId: string,
  filter: typeof PurchaseTokenFilter.$inferInput | null | undefined,
  order: PageOrder,
) {
  const statuses = selectedOf(filter?.statuses);
  const conditions = statuses ? [{ sql: `${STATE_IN_SQL} = ANY(?::text[])`, values: [statuses] }] : [];
  return tokensOf(context, accountId, { facets: { network: selectedOf(filter?.networks) }, conditions }, order);
}

export const PURCHASE_TOKENS_BY_TIME = orderedBy(
  orderType("PurchaseTokenOrder", "purchase tokens", "CREATED_AT", "The time when the token was created."),
  "DESC",
);

export const PurchaseTokenNode = builder.prismaNode("PurchaseToken", {
  id: { field: "id", description: "The global id of the purchase token." },
  findUnique: (id, context) => ({ id, accountId: requireAccountId(context) }),
  nullable: true,
  description:
    "A credential for one payment to one merchant within five minutes. The secret is shown only when the token is created.",
  fields: (t) => ({
    purchaseTokenId: t.exposeID("id", { description: "The id of the token without its type." }),
    merchantUrl: t.expose("merchantUrl", {
      type: "Url",
      description: "The URL the token may pay, including paths below it. A URL with a query is the only one allowed.",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the payment." }),
    maxAmountUsd: t.expose("maxMicroUsd", {
      type: "Usd",
      description: "The cap of the payment in US dollars. The charge may be lower.",
    }),
    status: t.field({
      type: PurchaseTokenStatusEnum,
      description: "The status of the token.",
      // Prisma batches these reads for a page of tokens.
      resolve: async (token, _args, { deps }) => {
        const where = { purchaseTokenId: token.id };
        const payment = await deps.db.prisma.transaction.findUnique({ where, select: { id: true } });
        return stateOf(token, payment !== null);
      },
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The settled or outstanding payment of the token, or null if there is none.",
      resolve: (query, { id }, _args, context) => {
        const accountId = requireScopedAccountId(context, "transactions:read");
        return context.deps.db.prisma.transaction.findUnique({ ...query, where: { purchaseTokenId: id, accountId } });
      },
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the token expires." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the token was created." }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the token was revoked, or null.",
    }),
  }),
});

builder.prismaObjectField(TransactionNode, "purchaseToken", (t) =>
  t.prismaField({
    type: PurchaseTokenNode,
    nullable: true,
    description:
      "The one-time purchase token used for the payment. Null for other credentials and for released payments.",
    resolve: (query, { purchaseTokenId: id }, _args, { deps }) =>
      id === null ? null : deps.db.prisma.purchaseToken.findUnique({ ...query, where: { id } }),
  }),
);

export const CreatePurchaseTokenInput = builder.inputType("CreatePurchaseTokenInput", {
  description: "The terms of a new purchase token.",
  fields: (t) => ({
    merchantUrl: t.field({
      type: "Url",
      required: true,
      description: "The absolute URL of the merchant. The token may pay this URL and the paths below it.",
    }),
    network: t.field({ type: "NetworkName", required: true, description: "The network of the payment." }),
    maxAmountUsd: t.field({
      type: "Usd",
      required: true,
      description: "The cap of the payment in US dollars, more than 0.",
    }),
  }),
});

const CreatePurchaseTokenSuccess = builder
  .objectRef<{ purchaseToken: PurchaseToken; token: string }>("CreatePurchaseTokenSuccess")
  .implement({
    description: "The purchase token was created.",
    fields: (t) => ({
      purchaseToken: t.expose("purchaseToken", { type: PurchaseTokenNode, description: "The new purchase token." }),
      token: t.exposeString("token", {
        description: "The secret to send as the header `X-Service-Token`. Returned only here.",
      }),
    }),
  });

builder.mutationField("createPurchaseToken", (t) =>
  t.field({
    type: CreatePurchaseTokenSuccess,
    description:
      "Creates a purchase token for one payment, up to a maximum amount, to one merchant on one network. The token expires after five minutes. At most 30 requests per minute. Requires the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UnsupportedNetworkError],
      union: {
        name: "CreatePurchaseTokenResult",
        description: "The new purchase token and its secret, or the error.",
      },
    },
    args: {
      input: t.arg({ type: CreatePurchaseTokenInput, required: true, description: "The terms of the new token." }),
    },
    resolve: (_root, { input: { merchantUrl, network, maxAmountUsd } }, { deps, viewer }) =>
      createPurchaseToken(deps, viewer, { merchantUrl, network, maxMicroUsd: maxAmountUsd }),
  }),
);

const RevokePurchaseTokenInput = builder.inputType("RevokePurchaseTokenInput", {
  description: "Input of `revokePurchaseToken`.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the purchase token.", validate: idOf("PurchaseToken") }),
  }),
});

const RevokePurchaseTokenSuccess = builder
  .objectRef<{ purchaseToken: PurchaseToken }>("RevokePurchaseTokenSuccess")
  .implement({
    description: "The purchase token is revoked and can make no further payment.",
    fields: (t) => ({
      purchaseToken: t.expose("purchaseToken", {
        type: PurchaseTokenNode,
        description: "The revoked purchase token.",
      }),
    }),
  });

builder.mutationField("revokePurchaseToken", (t) =>
  t.field({
    type: RevokePurchaseTokenSuccess,
    description:
      "Revokes a purchase token immediately. A payment already started with it continues. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: {
        name: "RevokePurchaseTokenResult",
        description: "The revoked purchase token, or the error.",
      },
    },
    args: {
      input: t.arg({ type: RevokePurchaseTokenInput, required: true, description: "The purchase token to revoke." }),
    },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { purchaseToken: await revokePurchaseToken(deps, viewer, id) };
    },
  }),
);

lookUpById("purchaseToken", "PurchaseToken", PurchaseTokenNode, "the purchase token");
