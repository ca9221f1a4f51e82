/** Quotes of carts at a shop with the Storefront API, against the bare calls that one quote needs of that shop. */
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { fireHttp } from "./harness/load.ts";
import { openAll } from "./harness/opened.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 16;
const BARE = "the shop's own calls";
const QUOTE = "POST /api/autofill/shopify/quote";
const SHOP = "harbour";
const SKU = "gid://shopify/ProductVariant/710031";
const SHIP_TO = {
  first_name: "Ada",
  last_name: "Lovelace",
  address1: "12 St James's Square",
  city: "London",
  postal_code: "SW1Y 4JH",
  country_code: "GB",
};
const SHOPS_ADDRESS = {
  firstName: SHIP_TO.first_name,
  lastName: SHIP_TO.last_name,
  address1: SHIP_TO.address1,
  city: SHIP_TO.city,
  zip: SHIP_TO.postal_code,
  countryCode: SHIP_TO.country_code,
};

export const quotes: Bench = {
  name: "quotes",
  title: `a cart priced with delivery, live at a shop, ${CONNECTIONS} at once; the shop in a process of its own`,
  unit: "quotes",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const service = await openService(opened, postgresqlUrl ?? "", CONNECTIONS);
      const url = `${service.baseUrl}${QUOTE.slice("POST ".length)}`;
      const shopUrl = service.sandbox.stores.find(({ name }) => name === SHOP)?.url ?? "";
      const bare = opened.add(await startChild("storefront-calls", { args: [shopUrl, SKU] }), ({ stop }) => stop());
      const headers = { "content-type": "application/json" };
      const ask = async (path: string, body?: object) => {
        const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
        const response = await fetch(`${service.baseUrl}${path}`, {
          ...init,
          headers: { ...headers, ...service.tokenHeaders[0] },
        });
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
        return await response.json();
      };
      const { merchants } = (await ask("/api/autofill/merchants")) as { merchants: { id: string; domain: string }[] };
      const merchant = merchants.find(({ domain }) => domain === new URL(shopUrl).host);
      const cart = { merchant_id: merchant?.id, items: [{ sku: SKU, quantity: 2 }], ship_to: SHIP_TO };
      const { fulfillment_options: options } = (await ask(url.slice(service.baseUrl.length), cart)) as {
        fulfillment_options: { id: string }[];
      };
      const body = JSON.stringify({ ...cart, fulfillment_option_id: options[0]?.id });
      const load = { url, connections: CONNECTIONS, method: "POST", headers, body } as const;
      const order = { connections: CONNECTIONS, address: SHOPS_ADDRESS };
      return {
        subjects: [
          { name: BARE, process: bare, run: (durationMs) => bare.ask<number>("run", { ...order, durationMs }) },
          {
            name: QUOTE,
            process: service.process,
            run: (durationMs) => fireHttp({ ...load, headersByConnection: service.tokenHeaders }, durationMs),
          },
        ],
        comparisons: [{ subject: QUOTE, against: BARE }],
        close: opened.close,
      };
    }),
};
