/** Quotes of carts at a store with the Storefront API, beside the same requests sent directly to the store. */
import type { Bench } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { runHttpLoad } from "./harness/load.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 16;
const DIRECT = "direct requests to the store";
const QUOTE = "POST /api/autofill/shopify/quote";
const STORE = "harbour";
const SKU = "gid://shopify/ProductVariant/710031";
const SHIP_TO = {
  first_name: "Ada",
  last_name: "Lovelace",
  address1: "12 St James's Square",
  city: "London",
  postal_code: "SW1Y 4JH",
  country_code: "GB",
};
const STOREFRONT_ADDRESS = {
  firstName: SHIP_TO.first_name,
  lastName: SHIP_TO.last_name,
  address1: SHIP_TO.address1,
  city: SHIP_TO.city,
  zip: SHIP_TO.postal_code,
  countryCode: SHIP_TO.country_code,
};

export const quotes: Bench = {
  name: "quotes",
  title: `carts priced with delivery at a store, ${CONNECTIONS} concurrently; the store in a separate process`,
  unit: "quotes",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openResources(async (resources) => {
      const service = await openService(resources, postgresqlUrl ?? "", CONNECTIONS);
      const url = `${service.baseUrl}${QUOTE.slice("POST ".length)}`;
      const storeUrl = service.sandbox.stores.find(({ name }) => name === STORE)?.url ?? "";
      const direct = resources.add(await startChild("storefront-requests", { args: [storeUrl, SKU] }), ({ stop }) =>
        stop(),
      );
      const headers = { "content-type": "application/json" };
      const callApi = async (path: string, body?: object) => {
        const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
        const response = await fetch(`${service.baseUrl}${path}`, {
          ...init,
          headers: { ...headers, ...service.tokenHeaders[0] },
        });
        if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
        return await response.json();
      };
      const { merchants } = (await callApi("/api/autofill/merchants")) as {
        merchants: { id: string; domain: string }[];
      };
      const merchant = merchants.find(({ domain }) => domain === new URL(storeUrl).host);
      const cart = { merchant_id: merchant?.id, items: [{ sku: SKU, quantity: 2 }], ship_to: SHIP_TO };
      const { fulfillment_options: options } = (await callApi(url.slice(service.baseUrl.length), cart)) as {
        fulfillment_options: { id: string }[];
      };
      const body = JSON.stringify({ ...cart, fulfillment_option_id: options[0]?.id });
      const load = { url, connections: CONNECTIONS, method: "POST", headers, body } as const;
      const directOptions = { connections: CONNECTIONS, address: STOREFRONT_ADDRESS };
      return {
        subjects: [
          {
            name: DIRECT,
            process: direct,
            run: (durationMs) => direct.request<number>("run", { ...directOptions, durationMs }),
          },
          {
            name: QUOTE,
            process: service.process,
            run: (durationMs) => runHttpLoad({ ...load, headersByConnection: service.tokenHeaders }, durationMs),
          },
        ],
        comparisons: [{ subject: QUOTE, against: DIRECT }],
        close: resources.close,
      };
    }),
};
