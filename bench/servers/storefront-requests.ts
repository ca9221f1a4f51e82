/**
 * The Storefront API requests of one quote: variants, cart, delivery rates, and the selection of a rate. Arguments: the URL of the
 * store, and the id of the variant.
 */
import { Pool } from "undici";
import { serveParent } from "../harness/serve-parent.ts";

interface Address {
  readonly [field: string]: string;
}

const [storeUrl = "", sku = ""] = process.argv.slice(2);
const PATH = "/api/2026-10/graphql.json";
const HEADERS = {
  "content-type": "application/json",
  accept: "multipart/mixed; deferSpec=20220824, application/json",
};
const VARIANTS = `query Variants($ids: [ID!]!, $country: CountryCode!) @inContext(country: $country) {
  nodes(ids: $ids) { ... on ProductVariant { id title availableForSale price { amount currencyCode } product { id title } } } }`;
const CREATE = `mutation CartCreate($input: CartInput!) { cartCreate(input: $input) {
  cart { id cost { subtotalAmount { amount currencyCode } totalAmount { amount currencyCode } } } userErrors { message } } }`;
const RATES = `query Rates($id: ID!) { cart(id: $id) { ... @defer { deliveryGroups(first: 10, withCarrierRates: true) {
  nodes { id deliveryOptions { handle title estimatedCost { amount currencyCode } } } } } } }`;
const PICK = `mutation Pick($cartId: ID!, $options: [CartSelectedDeliveryOptionInput!]!) {
  cartSelectedDeliveryOptionsUpdate(cartId: $cartId, selectedDeliveryOptions: $options) {
    cart { cost { totalAmount { amount currencyCode } } } userErrors { message } } }`;

const http = new Pool(storeUrl, { connections: 64 });

async function sendQuery(query: string, variables: object): Promise<string> {
  const body = JSON.stringify({ query, variables });
  const response = await http.request({ method: "POST", path: PATH, headers: HEADERS, body });
  if (response.statusCode !== 200)
    throw new Error(`The store responded with ${response.statusCode}. The round failed.`);
  return await response.body.text();
}

function readField(responseText: string, field: string): string {
  const value = new RegExp(`"${field}":"([^"]+)"`).exec(responseText)?.[1];
  if (value === undefined) throw new Error(`The store's response contains no ${field}.`);
  return value;
}

async function priceCart(address: Address): Promise<void> {
  await sendQuery(VARIANTS, { ids: [sku], country: address["countryCode"] });
  const selected = {
    selected: true,
    oneTimeUse: true,
    validationStrategy: "STRICT",
    address: { deliveryAddress: address },
  };
  const input = {
    lines: [{ merchandiseId: sku, quantity: 2 }],
    buyerIdentity: { countryCode: address["countryCode"] },
    delivery: { addresses: [selected] },
  };
  const cartId = readField(await sendQuery(CREATE, { input }), "id");
  const rates = await sendQuery(RATES, { id: cartId });
  const nodes = rates.slice(rates.indexOf('"nodes"'));
  const options = [{ deliveryGroupId: readField(nodes, "id"), deliveryOptionHandle: readField(nodes, "handle") }];
  await sendQuery(PICK, { cartId, options });
}

/** Prices carts for `durationMs`, `connections` concurrently. @returns carts per second */
async function run(options: { durationMs: number; connections: number; address: Address }): Promise<number> {
  const { durationMs, connections, address } = options;
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: connections }, async () => {
    while (performance.now() - startedMs < durationMs) {
      await priceCart(address);
      count += 1;
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - startedMs) / 1_000);
}

serveParent(null, { handlers: { run }, close: () => http.close() });
