import type { Prisma, PurchaseToken } from "../../generated/prisma/client.ts";
import { createPurchaseToken } from "../../src/payments/purchase-tokens/create.ts";
import { revokePurchaseToken } from "../../src/payments/purchase-tokens/revoke.ts";
import { STATE_IN_SQL, stateOf } from "../../src/payments/purchase-tokens/state.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import { childPages } from "../child-pages.ts";
import { BOUNDED_ERRORS, INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { ownAccountId, ownAccountIdWithin } from "../owner.ts";
import { TransactionNode } from "../wallet/transactions.ts";

const PurchaseTokenStateEnum = builder.enumType("PurchaseTokenState", {
  description: "What a purchase token has come to.",
  values: {
    UNUSED: { value: "unused", description: "It may still make its payment." },
    CONSUMED: { value: "consumed", description: "It has a payment that settled, or whose outcome is not known yet." },
    EXPIRED: { value: "expired", description: "Its five minutes passed without a payment." },
    REVOKED: { value: "revoked", description: "It was taken back before it paid." },
  },
});

export const PurchaseTokenFilter = builder.inputType("PurchaseTokenFilter", {
  description: "Which purchase tokens; all that is given must hold.",
  fields: (t) => ({
    state: t.field({ type: PurchaseTokenStateEnum, description: "What they have come to." }),
    network: t.field({ type: "NetworkName", description: "The network they pay on." }),
  }),
});

/** Of an account, by id: narrowed to a state and to a network, where not null. */
export const purchaseTokensOf = childPages(
  {
    ...{ table: "purchase_tokens", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    condition: `($4::text IS NULL OR $4 = ${STATE_IN_SQL}) AND ($5::text IS NULL OR child.network = $5)`,
  },
  ({ deps }, selection: Prisma.PurchaseTokenDefaultArgs, ids) =>
    deps.db.prisma.purchaseToken.findMany({ ...selection, where: { id: { in: ids } } }),
);

export const PurchaseTokenNode = builder.prismaNode("PurchaseToken", {
  id: { field: "id", description: "The purchase token's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountId(context) }),
  nullable: true,
  description:
    "Leave to make one payment to one merchant within five minutes. Its secret was shown once, when it was made.",
  fields: (t) => ({
    purchaseTokenId: t.exposeID("id", { description: "The token's own id, without its type." }),
    merchantUrl: t.expose("merchantUrl", {
      type: "Url",
      description: "What it pays: this address and those under it; with a query, this one alone.",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network it pays on." }),
    maxAmountUsd: t.expose("maxMicroUsd", {
      type: "Usd",
      description: "The most its payment may cost; the charge may be lower.",
    }),
    state: t.field({
      type: PurchaseTokenStateEnum,
      description: "What it has come to.",
      // Prisma reads those of a page at once.
      resolve: async (token, _args, { deps }) => {
        const where = { purchaseTokenId: token.id };
        const payment = await deps.db.prisma.transaction.findUnique({ where, select: { id: true } });
        return stateOf(token, payment !== null);
      },
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "Its payment, settled or outstanding; null while there is none.",
      resolve: (query, { id }, _args, context) => {
        const accountId = ownAccountIdWithin(context, "transactions:read");
        return context.deps.db.prisma.transaction.findUnique({ ...query, where: { purchaseTokenId: id, accountId } });
      },
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends by itself." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was revoked." }),
  }),
});

builder.prismaObjectField(TransactionNode, "purchaseToken", (t) =>
  t.prismaField({
    type: PurchaseTokenNode,
    nullable: true,
    description:
      "The one-time purchase token that pays; null when something else does, or when the payment was released.",
    resolve: (query, { purchaseTokenId: id }, _args, { deps }) =>
      id === null ? null : deps.db.prisma.purchaseToken.findUnique({ ...query, where: { id } }),
  }),
);

const CreatePurchaseTokenInput = builder.inputType("CreatePurchaseTokenInput", {
  description: "A new purchase token.",
  fields: (t) => ({
    merchantUrl: t.field({
      type: "Url",
      required: true,
      description: "The merchant's full address; the token pays it and what lies under it.",
    }),
    network: t.field({ type: "NetworkName", required: true, description: "The network it pays on." }),
    maxAmountUsd: t.field({ type: "Usd", required: true, description: "The most its payment may cost." }),
  }),
});

const CreatePurchaseTokenSuccess = builder
  .objectRef<{ purchaseToken: PurchaseToken; token: string }>("CreatePurchaseTokenSuccess")
  .implement({
    description: "The purchase token was made.",
    fields: (t) => ({
      purchaseToken: t.expose("purchaseToken", { type: PurchaseTokenNode, description: "The new purchase token." }),
      token: t.exposeString("token", { description: "What is sent as `X-Service-Token`. Shown this once." }),
    }),
  });

builder.mutationField("createPurchaseToken", (t) =>
  t.field({
    type: CreatePurchaseTokenSuccess,
    description:
      "Makes a one-time purchase token: one payment, to one merchant, on one network, within a cap and five minutes. At most 30 a minute. Needs the scope `account:manage`.",
    errors: {
      types: [...BOUNDED_ERRORS, UnsupportedNetworkError],
      union: {
        name: "CreatePurchaseTokenResult",
        description: "The new purchase token and its secret, or why there is none.",
      },
    },
    args: { input: t.arg({ type: CreatePurchaseTokenInput, required: true, description: "The new purchase token." }) },
    resolve: (_root, { input: { merchantUrl, network, maxAmountUsd } }, { deps, viewer }) =>
      createPurchaseToken(deps, viewer, { merchantUrl, network, maxMicroUsd: maxAmountUsd }),
  }),
);

const RevokePurchaseTokenInput = builder.inputType("RevokePurchaseTokenInput", {
  description: "The purchase token to revoke.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The purchase token's global id." }) }),
});

const RevokePurchaseTokenSuccess = builder
  .objectRef<{ purchaseToken: PurchaseToken }>("RevokePurchaseTokenSuccess")
  .implement({
    description: "The purchase token is revoked: nothing more can be reserved with it.",
    fields: (t) => ({
      purchaseToken: t.expose("purchaseToken", {
        type: PurchaseTokenNode,
        description: "The purchase token as it now is.",
      }),
    }),
  });

builder.mutationField("revokePurchaseToken", (t) =>
  t.field({
    type: RevokePurchaseTokenSuccess,
    description:
      "Revokes a purchase token at once; a payment it has made goes on to its end. Revoking twice changes nothing. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: {
        name: "RevokePurchaseTokenResult",
        description: "The revoked purchase token, or why it was not revoked.",
      },
    },
    args: { input: t.arg({ type: RevokePurchaseTokenInput, required: true, description: "The purchase token." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { purchaseToken: await revokePurchaseToken(deps, viewer, idOf("PurchaseToken", id)) };
    },
  }),
);
