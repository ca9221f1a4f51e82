import type { MerchantProduct } from "../../generated/prisma/client.ts";
import { MAX_MERCHANTS, merchantsWhere } from "../../src/checkout/merchants/merchants.ts";
import { builder } from "../builder.ts";
import { ownAccountId } from "../owner.ts";
import { MAX_PAGE_SIZE, PAGES } from "../paging.ts";
import { StorableText } from "../text.ts";

const RailEnum = builder.enumType("CheckoutRail", {
  description: "How a shop is bought from.",
  values: {
    shopify: { description: "By its Storefront API: live prices, real delivery options, any address." },
    worker: { description: "By its pages: priced from a catalogue read earlier." },
  },
});

const TaxPolicyEnum = builder.enumType("TaxPolicy", {
  description: "Whether a shop's prices are what one pays.",
  values: {
    included: { description: "Prices have tax in them." },
    added: { description: "Tax is added at checkout." },
    unknown: { description: "Not known: taken as added." },
  },
});

const CatalogueEntryType = builder.objectRef<MerchantProduct>("CatalogueEntry").implement({
  description: "What a shop offered when its catalogue was last read.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "What to order it by." }),
    title: t.exposeString("title", { description: "Its name." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "Which of its variants." }),
    priceMinor: t.field({
      type: "MinorAmount",
      description: "Its price then.",
      resolve: ({ priceMinor }) => Number(priceMinor),
    }),
    currency: t.exposeString("currency", { description: "The price's currency (ISO 4217)." }),
    available: t.exposeBoolean("available", { description: "Whether it could be bought then." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "A picture of it." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "Its page." }),
  }),
});

/** A catalogue is shown up to here; search finds the rest. */
const CATALOGUE_SHOWN = 250;

export const MerchantNode = builder.prismaNode("Merchant", {
  id: { field: "id", description: "The shop's global id." },
  findUnique: (id, context) => {
    ownAccountId(context);
    return { id };
  },
  nullable: true,
  description: "A shop that agents may buy from, or that search covers.",
  fields: (t) => ({
    merchantId: t.exposeID("id", { description: "The shop's own id, as REST shows it." }),
    name: t.exposeString("name", { description: "Its name." }),
    domain: t.exposeString("domain", { description: "The host of its site." }),
    url: t.expose("url", { type: "Url", description: "Its site." }),
    rail: t.field({ type: RailEnum, description: "How it is bought from.", resolve: ({ rail }) => rail as "shopify" }),
    isTest: t.exposeBoolean("isTest", { description: "Whether it is run for testing: no real money moves there." }),
    isOnboarded: t.boolean({
      description: "Whether it can be bought from; otherwise it is explored first.",
      resolve: ({ onboardedAt }) => onboardedAt !== null,
    }),
    currency: t.exposeString("currency", { description: "Its own currency (ISO 4217)." }),
    countryCode: t.exposeString("countryCode", { description: "The country it is in (ISO 3166)." }),
    logoUrl: t.expose("logoUrl", { type: "Url", nullable: true, description: "Its logo." }),
    shipsTo: t.exposeStringList("shipsTo", { description: "Countries it sends goods to." }),
    supportsShipTo: t.boolean({
      description: "Whether it can be told another delivery address than the cardholder's.",
      resolve: ({ rail }) => rail === "shopify",
    }),
    supportsPickup: t.exposeBoolean("supportsPickup", { description: "Whether purchases can be collected." }),
    taxPolicy: t.field({
      type: TaxPolicyEnum,
      description: "Whether its prices are what one pays.",
      resolve: ({ taxPolicy }) => taxPolicy as "included",
    }),
    catalogueUpdatedAt: t.expose("catalogueReadAt", {
      type: "DateTime",
      nullable: true,
      description: "When its catalogue was last read; null where none was.",
    }),
    catalogue: t.field({
      type: [CatalogueEntryType],
      complexity: { field: 5, multiplier: CATALOGUE_SHOWN / 10 },
      description: `What it offered then; ${CATALOGUE_SHOWN} entries at most.`,
      select: { products: { take: CATALOGUE_SHOWN, orderBy: [{ title: "asc" }, { sku: "asc" }] } },
      resolve: ({ products }) => products as MerchantProduct[],
    }),
  }),
});

builder.queryField("merchants", (t) =>
  t.prismaConnection(
    {
      type: MerchantNode,
      ...PAGES,
      maxSize: Math.max(MAX_PAGE_SIZE, MAX_MERCHANTS),
      authScopes: { account: true },
      description: "Shops that can be bought from, by name.",
      args: { q: t.arg.string({ description: "Words in the name or the domain.", validate: StorableText }) },
      resolve: (query, _root, { q }, { deps }) =>
        deps.db.prisma.merchant.findMany({
          ...query,
          where: merchantsWhere(q ?? null),
          orderBy: [{ name: "asc" }, { id: "asc" }],
        }),
    },
    { name: "MerchantConnection", description: "A page of shops." },
    { name: "MerchantEdge", description: "A shop in a list." },
  ),
);

builder.queryField("merchant", (t) =>
  t.prismaField({
    type: MerchantNode,
    nullable: true,
    authScopes: { account: true },
    description: "A shop that can be bought from, by its own id (`mer_…`); null when there is none.",
    args: { merchantId: t.arg.string({ required: true, validate: StorableText, description: "The shop's own id." }) },
    resolve: (query, _root, { merchantId }, { deps }) =>
      deps.db.prisma.merchant.findFirst({ ...query, where: { id: merchantId, ...merchantsWhere(null) } }),
  }),
);
