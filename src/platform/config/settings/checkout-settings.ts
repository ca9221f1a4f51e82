/** Settings of checkouts at merchants and of their workers. */
import { z } from "zod";
import { integer, nonEmpty, origins, port, secrets, text, url } from "../values.ts";

export const checkoutAtMerchants = {
  CHECKOUT_POOL: text
    .optional()
    .describe(
      "merchants for product search and purchase, as JSON or the path of a JSON file; default: the sandbox's, else none",
    ),
  CATALOG_URL: url
    .optional()
    .describe(
      "remote product catalogue that product search calls; default: none, search reads this service's own index",
    ),
  CATALOG_API_KEY: nonEmpty.optional().describe("bearer token for CATALOG_URL"),
  CATALOG_MAX_AGE_MS: integer(60_000, 31_536_000_000)
    .default(172_800_000)
    .describe("age at which a merchant's indexed catalogue no longer counts as searched"),
  CATALOG_REFRESH_MS: integer(1_000, 31_536_000_000)
    .default(21_600_000)
    .describe("interval between two reads of a merchant's public catalogue"),
  CATALOG_DELAY_MS: integer(0, 60_000)
    .optional()
    .describe("minimum interval between two requests at one merchant; default 0 in the sandbox, else 1000"),
  CATALOG_MAX_PRODUCTS: integer(1, 1_000_000)
    .default(50_000)
    .describe("maximum number of products indexed per merchant"),
  CATALOG_CONCURRENCY: integer(1, 256)
    .default(16)
    .describe("maximum number of merchants whose catalogues are read at once"),
  CARD_SECURITY_CODE: z
    .enum(["ask", "keep"])
    .optional()
    .describe(
      "storage of cards' security codes: `keep` stores them, `ask` prompts for each order; default `keep` in the sandbox, else `ask`",
    ),
  CHECKOUT_PROCESSORS: origins.describe(
    "further origins of card processors whose frames may receive a card, such as https://pay.example, comma separated",
  ),
  CHECKOUT_ISSUERS: origins.describe(
    "further origins of banks' 3-D Secure pages, such as https://acs.bank.example, comma separated",
  ),
  CHECKOUT_TIMEOUT_MS: integer(5_000, 900_000)
    .default(180_000)
    .describe("timeout of a checkout until the card is submitted"),
  CHECKOUT_APPROVAL_MS: integer(1_000, 86_400_000)
    .default(900_000)
    .describe("timeout for the account owner's approval of a purchase"),
  CHECKOUT_QUESTION_MS: integer(1_000, 600_000)
    .default(300_000)
    .describe("time that an order waits for responses to its questions, in total; its timeout pauses meanwhile"),
  CHECKOUT_WORKERS: integer(0, 32)
    .optional()
    .describe("checkout workers that npm start runs on this machine; default 1 in the sandbox, else 0"),
  WORKER_TOKEN: secrets.describe(
    "comma-separated bearer tokens of checkout workers, the first is sent; default: a token stored in DATA_DIR",
  ),
  CHROMIUM_PATH: text
    .optional()
    .describe(
      "browser executable of checkout workers, or `packaged`; default: an installed Chromium, else the packaged one",
    ),
};

/** The worker's own settings; it shares others with the service (`src/worker/config.ts`). */
export const workerSettings = {
  SERVICE_URL: url
    .default("http://127.0.0.1:4000")
    .describe("URL of the service that a checkout worker connects to; https, or on the same machine"),
  WORKER_HOST: text.default("127.0.0.1").describe("address a checkout worker listens on for the live view"),
  WORKER_PORT: port.default(0).describe("port of the live view; 0 picks a free one"),
  WORKER_URL: url.optional().describe("URL at which the service reaches the worker; default: the listening address"),
  WORKER_CONCURRENCY: integer(1, 32).default(2).describe("maximum concurrent checkouts per worker"),
  WORKER_STOP_MS: integer(0, 900_000)
    .default(420_000)
    .describe("how long a stopping worker waits for submitted payments, in milliseconds"),
};
