/** Review of explored merchants by administrators and the operator. */
import type { Merchant } from "../../generated/prisma/client.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { isPooled } from "../../src/checkout/merchants/merchants.ts";
import { findNewestRecipes } from "../../src/checkout/merchants/recipes.ts";
import { MerchantChangedError, vetMerchant } from "../../src/checkout/merchants/vet-merchant.ts";
import { type CardEntry, createCardEntry } from "../../src/checkout/worker-protocol/card-entry.ts";
import { UNKNOWN_COUNTRY } from "../../src/checkout/worker-protocol/exploration.ts";
import { ADMINISTRATION_ERRORS } from "../administration/errors.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { createErrorOptions } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { PAGES, prismaList } from "../paging.ts";
import { MerchantNode } from "./merchants.ts";

const CardEntryType = builder.objectRef<CardEntry>("CardEntry").implement({
  description: "Origins at which a card may be entered.",
  fields: (t) => ({
    pageOrigins: t.expose("pageOrigins", {
      type: ["Url"],
      description: "The origins of the checkout's pages, the merchant's own first.",
    }),
    frameOrigins: t.expose("frameOrigins", {
      type: ["Url"],
      nullable: true,
      description: "The origins whose frames may contain card fields. Null: those of known card processors.",
    }),
  }),
});

const ExploredMerchantNode = builder.prismaNode("MerchantCatalogue", {
  name: "ExploredMerchant",
  id: { field: "id", description: "The global id of the explored merchant." },
  findUnique: (id, { viewer }) => {
    requireReviewer(viewer);
    return { id };
  },
  nullable: true,
  description: "A merchant as one account's explorations found it. Its facts come from its own pages.",
  include: { merchant: true },
  fields: (t) => ({
    accountId: t.exposeID("accountId", { nullable: true, description: "The id of the account that explored it." }),
    name: t.string({ description: "The name of the merchant.", resolve: ({ merchant }) => merchant.name }),
    domain: t.string({ description: "The host of the merchant's site.", resolve: ({ merchant }) => merchant.domain }),
    url: t.field({
      type: "Url",
      description: "The URL of the merchant's site.",
      resolve: ({ merchant }) => merchant.url,
    }),
    countryCode: t.field({
      type: "CountryCode",
      nullable: true,
      description: "The country of the merchant; null if its site does not state it.",
      resolve: ({ merchant }) => (merchant.countryCode === UNKNOWN_COUNTRY ? null : merchant.countryCode),
    }),
    currency: t.field({
      type: "CurrencyCode",
      description: "The merchant's currency.",
      resolve: ({ merchant }) => merchant.currency,
    }),
    isPooled: t.boolean({
      description: "Whether the pool has the merchant. Vetting then admits the catalogue and the origins only.",
      resolve: ({ merchant }) => isPooled(merchant),
    }),
    readAt: t.expose("readAt", {
      type: "DateTime",
      description: "Timestamp of the latest exploration. Pass it to `vetMerchant`.",
    }),
    productCount: t.relationCount("products", { description: "The number of product variants found." }),
    cardEntry: t.loadable({
      type: CardEntryType,
      complexity: 5,
      description: "The origins at which every account's card would be entered.",
      load: loadCardEntries,
      resolve: ({ id }) => id,
    }),
  }),
});

/** Loads the card entries of several explored merchants by catalogue id. */
async function loadCardEntries(catalogueIds: readonly string[], { deps }: Context): Promise<CardEntry[]> {
  const { prisma } = deps.db;
  const catalogues = await prisma.merchantCatalogue.findMany({
    where: { id: { in: [...catalogueIds] } },
    include: { merchant: { select: { url: true } } },
  });
  const recipes = await findNewestRecipes(prisma, catalogues);
  return catalogueIds.map((id) => {
    const catalogue = catalogues.find((one) => one.id === id);
    const recipe = recipes.find(
      ({ merchantId, accountId }) => merchantId === catalogue?.merchantId && accountId === catalogue.accountId,
    );
    if (!catalogue) throw new Error(`The catalogue ${id} no longer exists.`);
    return createCardEntry(catalogue.merchant.url, recipe?.definition);
  });
}

lookUpById("exploredMerchant", "ExploredMerchant", ExploredMerchantNode, "the explored merchant");

builder.queryField("exploredMerchants", (t) =>
  t.connection(
    {
      type: ExploredMerchantNode,
      ...PAGES,
      description:
        "The merchants that accounts explored and no reviewer has vetted, latest first. Requires an administrator's session or the operator's admin token; otherwise an error of code `forbidden`.",
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { merchantCatalogue } = context.deps.db.prisma;
        const merchants = prismaList(
          {},
          { accountId: { not: null } },
          // The type of the nodes adds their merchant to the selection.
          (query: { include: { merchant: true } }) =>
            merchantCatalogue.findMany({ ...query, orderBy: [{ readAt: "desc" }, { id: "asc" }] }),
          (query) => merchantCatalogue.count(query),
        );
        return resolveConnection(args, context, info, merchants);
      },
    },
    { name: "ExploredMerchantConnection", description: "A page of explored merchants." },
    { name: "ExploredMerchantEdge", description: "An edge of an explored merchant connection." },
  ),
);

builder.objectType(MerchantChangedError, {
  name: "MerchantChangedError",
  ...createErrorOptions("The merchant was explored again after the reviewer read it. Nothing was changed."),
});

const VetMerchantInput = builder.inputType("VetMerchantInput", {
  description: "An explored merchant to admit to the pool.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The id of the explored merchant.", validate: idOf("ExploredMerchant") }),
    ifReadAt: t.field({
      type: "DateTime",
      required: true,
      description: "The `readAt` that the reviewer saw. The request fails if the merchant was explored again since.",
    }),
    reason: t.string({ description: "The reason, at most 1,000 characters. It is recorded with the act." }),
  }),
});

const VetMerchantSuccess = builder.objectRef<{ readonly merchant: Merchant }>("VetMerchantSuccess").implement({
  description: "The merchant is in the pool, and every account may order from it.",
  fields: (t) => ({
    merchant: t.prismaField({
      type: MerchantNode,
      description: "The merchant.",
      resolve: (query, { merchant }, _args, { deps }) =>
        deps.db.prisma.merchant.findUniqueOrThrow({ ...query, where: { id: merchant.id } }),
    }),
  }),
});

builder.mutationField("vetMerchant", (t) =>
  t.field({
    type: VetMerchantSuccess,
    description:
      "Admits an explored merchant to the pool: every account then sees it and orders from its catalogue, and cards are entered at its origins. Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's admin token. An administrator cannot admit a merchant that their own account explored.",
    errors: {
      types: [...ADMINISTRATION_ERRORS, MerchantChangedError],
      union: {
        name: "VetMerchantResult",
        description: "The merchant, or an error. After an error nothing has changed.",
      },
    },
    args: { input: t.arg({ type: VetMerchantInput, required: true, description: "The merchant to admit." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      merchant: await vetMerchant(deps, viewer, {
        catalogueId: input.id,
        ifReadAt: input.ifReadAt,
        reason: input.reason,
      }),
    }),
  }),
);
