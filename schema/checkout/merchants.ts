import type { CatalogueIndex, MerchantProduct, Prisma } from "../../generated/prisma/client.ts";
import {
  cataloguesOf,
  isOnboarded,
  isPooled,
  merchantsFilter,
  pickCatalogue,
  visibleFilter,
} from "../../src/checkout/merchants/merchants.ts";
import { UNKNOWN_COUNTRY } from "../../src/checkout/worker-protocol/exploration.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { requireAccountId } from "../owner.ts";
import { PAGES, prismaList } from "../paging.ts";
import { StorableText } from "../text.ts";
import { wireEnum } from "../wire-enum.ts";

export const RailEnum = wireEnum("CheckoutRail", "The technical route by which orders reach a merchant.", {
  shopify: "Shopify Storefront API: live prices, actual fulfilment options, any delivery address.",
  worker: "The merchant's pages, driven by a worker: prices from a stored catalogue.",
});

const TaxPolicyEnum = wireEnum("TaxPolicy", "Whether a merchant's prices include tax.", {
  included: "Prices include tax.",
  added: "Tax is added at checkout.",
  unknown: "Unknown; treated as added.",
});

const IndexStatusEnum = wireEnum("MerchantIndexStatus", "The state of reading a merchant's public catalogue.", {
  waiting: "Not yet read.",
  reading: "Being read.",
  read: "Read completely. It is read again at intervals.",
  refused: "Not read, because the merchant's robots.txt does not permit it.",
  failing: "The latest attempt failed. It is retried with increasing delays.",
});

const MerchantIndexType = builder.objectRef<CatalogueIndex>("MerchantIndex").implement({
  description: "The search index of a merchant's public catalogue.",
  fields: (t) => ({
    status: t.field({
      type: IndexStatusEnum,
      description: "The state of reading the catalogue.",
      resolve: ({ status }) => status as "waiting",
    }),
    source: t.exposeString("source", {
      nullable: true,
      description: "What the catalogue is read from: storefront, products_json or pages; null before the first read.",
    }),
    productCount: t.exposeInt("productCount", { description: "Number of products after the latest complete read." }),
    requestCount: t.exposeInt("requestCount", { description: "Number of requests in the current or latest read." }),
    unchangedCount: t.exposeInt("unchangedCount", {
      description: "Number of those requests with the response status 304 (not modified).",
    }),
    startedAt: t.expose("passStartedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the current or latest read started.",
    }),
    readAt: t.expose("readAt", {
      type: "DateTime",
      nullable: true,
      description:
        "Timestamp of the start of the latest complete read; null if none. Search covers the merchant until this is too old.",
    }),
    nextReadAt: t.expose("dueAt", {
      type: "DateTime",
      description: "Timestamp when reading continues or starts again.",
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "Reason why the latest attempt failed; null if it succeeded.",
    }),
  }),
});

const CatalogueEntryType = builder.objectRef<MerchantProduct>("CatalogueEntry").implement({
  description: "A product variant in a merchant's catalogue, as last read.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The sku to order the product by." }),
    title: t.exposeString("title", { description: "The title of the product." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "The title of the variant." }),
    price: t.field({
      type: MoneyType,
      description: "The price when the catalogue was last read.",
      resolve: ({ priceMinor, currency }) => toMoney(priceMinor, currency),
    }),
    available: t.exposeBoolean("available", {
      description: "Whether the variant was available when the catalogue was last read.",
    }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "The URL of an image." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "The URL of the product page." }),
  }),
});

/** Selects the catalogues that the account may use. */
const selectCatalogues = (_args: unknown, context: Context) => ({
  catalogues: cataloguesOf(requireAccountId(context)),
});

/** Maximum number of catalogue entries returned; search finds the others. */
const CATALOGUE_SHOWN = 250;

export const MerchantNode = builder.prismaNode("Merchant", {
  id: { field: "id", description: "The global id of the merchant." },
  findUnique: (id, context) => ({ id, ...visibleFilter(requireAccountId(context)) }),
  nullable: true,
  description:
    "A merchant that accepts orders from agents, or that search covers: one of the pool, or one that this account explored.",
  fields: (t) => ({
    merchantId: t.exposeID("id", { description: "The id of the merchant, as used by REST." }),
    name: t.exposeString("name", { description: "The name of the merchant." }),
    domain: t.exposeString("domain", { description: "The host of the merchant's site." }),
    url: t.expose("url", { type: "Url", description: "The URL of the merchant's site." }),
    rail: t.field({
      type: RailEnum,
      description: "The route by which orders reach the merchant.",
      resolve: ({ rail }) => rail as "shopify",
    }),
    isTest: t.exposeBoolean("isTest", {
      description: "Whether the merchant is for testing, where no real money moves.",
    }),
    isPooled: t.boolean({
      description:
        "Whether the merchant is in the approved pool, whose data the operator maintains. Any other merchant was explored by this account, states its own name and country, and is visible to this account only.",
      resolve: isPooled,
    }),
    isOnboarded: t.boolean({
      description: "Whether the merchant accepts orders from this account. Otherwise explore it first.",
      select: selectCatalogues,
      resolve: (merchant) => isOnboarded(merchant, pickCatalogue(merchant.catalogues)),
    }),
    currency: t.expose("currency", { type: "CurrencyCode", description: "The merchant's currency." }),
    countryCode: t.field({
      type: "CountryCode",
      nullable: true,
      description: "The country of the merchant; null if its site does not state it.",
      resolve: ({ countryCode }) => (countryCode === UNKNOWN_COUNTRY ? null : countryCode),
    }),
    logoUrl: t.expose("logoUrl", { type: "Url", nullable: true, description: "The URL of the merchant's logo." }),
    shipsTo: t.expose("shipsTo", {
      type: ["CountryCode"],
      description: "Countries to which the merchant ships; empty if unknown.",
    }),
    supportsShipTo: t.boolean({
      description: "Whether the merchant accepts a delivery address other than the cardholder's.",
      resolve: ({ rail }) => rail === "shopify",
    }),
    supportsPickup: t.exposeBoolean("supportsPickup", { description: "Whether the merchant offers pickup." }),
    taxPolicy: t.field({
      type: TaxPolicyEnum,
      description: "Whether the merchant's prices include tax.",
      resolve: ({ taxPolicy }) => taxPolicy as "included",
    }),
    catalogueUpdatedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the catalogue was last read; null if never.",
      select: selectCatalogues,
      resolve: ({ catalogues }) => pickCatalogue(catalogues)?.readAt ?? null,
    }),
    searchIndex: t.loadable({
      type: MerchantIndexType,
      nullable: true,
      complexity: 2,
      description: "The search index of the merchant's public catalogue; null if search does not read the merchant.",
      load: async (domains: string[], { deps }: Context) => {
        const indexes = await deps.db.prisma.catalogueIndex.findMany({ where: { host: { in: domains } } });
        const byHost = new Map(indexes.map((index) => [index.host, index]));
        return domains.map((domain) => byHost.get(domain) ?? null);
      },
      resolve: ({ domain }) => domain,
    }),
    catalogue: t.field({
      type: [CatalogueEntryType],
      complexity: { field: 5, multiplier: CATALOGUE_SHOWN / 10 },
      description: `The catalogue as last read; at most ${CATALOGUE_SHOWN} entries.`,
      select: (_args, context) => ({
        catalogues: {
          ...cataloguesOf(requireAccountId(context)),
          include: {
            products: { take: CATALOGUE_SHOWN, orderBy: [{ title: "asc" as const }, { sku: "asc" as const }] },
          },
        },
      }),
      resolve: ({ catalogues }) => pickCatalogue(catalogues)?.products ?? [],
    }),
  }),
});

const MerchantFilter = builder.inputType("MerchantFilter", {
  description: "Filters for merchants.",
  fields: (t) => ({
    q: t.string({ description: "Text to find in the name or domain. Default: all merchants.", validate: StorableText }),
  }),
});

builder.queryField("merchants", (t) =>
  t.connection(
    {
      type: MerchantNode,
      ...PAGES,
      authScopes: { account: true },
      description: "Merchants that accept orders from this account, ordered by name.",
      args: { filter: t.arg({ type: MerchantFilter, description: "Filter. Default: all merchants." }) },
      resolve: (_root, args, context, info) => {
        const { merchant } = context.deps.db.prisma;
        const merchants = prismaList(
          {},
          merchantsFilter(requireAccountId(context), args.filter?.q ?? null),
          (query: Prisma.MerchantFindManyArgs) =>
            merchant.findMany({ ...query, orderBy: [{ name: "asc" }, { id: "asc" }] }),
          (query) => merchant.count(query),
        );
        return resolveConnection(args, context, info, merchants);
      },
    },
    { name: "MerchantConnection", description: "A page of merchants." },
    { name: "MerchantEdge", description: "An edge of a merchant connection." },
  ),
);

lookUpById("merchant", "Merchant", MerchantNode, "the merchant");
