/** The calls that a quote needs of a shop, and nothing else: a cart, its rates, the choice of one. Shop and variant on the command line. */
import { Pool } from "undici";
import { answerParent } from "../harness/answer-parent.ts";

interface Address {
  readonly [field: string]: string;
}

const [shopUrl = "", sku = ""] = process.argv.slice(2);
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

const http = new Pool(shopUrl, { connections: 64 });

async function ask(query: string, variables: object): Promise<string> {
  const body = JSON.stringify({ query, variables });
  const answer = await http.request({ method: "POST", path: PATH, headers: HEADERS, body });
  if (answer.statusCode !== 200) throw new Error(`The shop answered ${answer.statusCode}.`);
  return await answer.body.text();
}

function fieldOf(answer: string, field: string): string {
  const value = new RegExp(`"${field}":"([^"]+)"`).exec(answer)?.[1];
  if (value === undefined) throw new Error(`The shop's answer holds no ${field}.`);
  return value;
}

async function price(address: Address): Promise<void> {
  await ask(VARIANTS, { ids: [sku], country: address["countryCode"] });
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
  const cartId = fieldOf(await ask(CREATE, { input }), "id");
  const rates = await ask(RATES, { id: cartId });
  const nodes = rates.slice(rates.indexOf('"nodes"'));
  const options = [{ deliveryGroupId: fieldOf(nodes, "id"), deliveryOptionHandle: fieldOf(nodes, "handle") }];
  await ask(PICK, { cartId, options });
}

/** Prices carts for `durationMs`, so many at once; answers how many a second. */
async function run(order: { durationMs: number; connections: number; address: Address }): Promise<number> {
  const { durationMs, connections, address } = order;
  const startedMs = performance.now();
  let count = 0;
  const lanes = Array.from({ length: connections }, async () => {
    while (performance.now() - startedMs < durationMs) {
      await price(address);
      count += 1;
    }
  });
  await Promise.all(lanes);
  return count / ((performance.now() - startedMs) / 1_000);
}

answerParent(null, { handlers: { run }, close: () => http.close() });
