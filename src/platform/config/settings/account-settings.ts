/** Settings of accounts: administrators, sign-in, free credit, export, deletion and retention. */
import { z } from "zod";
import { TWO_PERSON_ACTS } from "../two-person-acts.ts";
import { flag, integer, list, secrets, text, usd, usdAmount } from "../values.ts";

export const accounts = {
  ADMIN_TOKEN: secrets.describe(
    "bearer token of the operator, who may create accounts; several, comma separated, while it is replaced",
  ),
  ADMIN_EMAILS: list
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .describe("email addresses of administrators, who may review applications, comma separated"),
  TWO_PERSON_ACTS: list
    .pipe(z.array(z.enum(TWO_PERSON_ACTS, { error: `must name acts of ${TWO_PERSON_ACTS.join(", ")}` })))
    .describe(
      `acts that one administrator proposes and another confirms, comma separated: ${TWO_PERSON_ACTS.join(", ")}; default: none`,
    ),
  RECOVERY_WAITING_HOURS: integer(1, 720)
    .default(72)
    .describe("hours in which an account owner can cancel the change of a lost email address by an administrator"),
  FREE_CREDIT_USD: usd("5.00").describe("free credit of a new account with a verified email address in US dollars"),
  FREE_CREDIT_DAILY_USD: usdAmount
    .optional()
    .describe(
      "maximum free credit of all new accounts in a UTC day in US dollars; default 100.00, no limit in the sandbox",
    ),
  FREE_CREDIT_ACCOUNTS_PER_NETWORK: integer(0, 1_000_000)
    .optional()
    .describe(
      "maximum accounts of a network (IPv4 /24, IPv6 /48) that receive free credit in 24 hours; default 20, no limit in the sandbox",
    ),
  FREE_CREDIT_HOSTS: list.describe("hosts that free credit may pay, comma separated; default: any"),
  FREE_CREDIT_PAYEES: list.describe("recipient addresses that free credit may pay, comma separated; default: any"),
  CLIENT_ID_METADATA_DOCUMENTS: flag
    .optional()
    .describe(
      "accept the URL of a metadata document as client ID, with restricted scopes and limits until a review; default 1 in the sandbox, else 0",
    ),
  DYNAMIC_CLIENT_REGISTRATION: flag
    .optional()
    .describe(
      "accept dynamic registration (RFC 7591) of applications on the user's device and of known MCP hosts. Scopes and limits are restricted until a review. Default: 1 in the sandbox, else 0",
    ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("issuer identifier of an OpenID provider for sign-in, exactly as the provider publishes it"),
  OIDC_CLIENT_ID: text
    .optional()
    .describe("client id at the provider; the redirect URI is BASE_URL/auth/upstream/callback"),
  OIDC_CLIENT_SECRET: text.optional().describe("client secret at the provider; none for a public client"),
  OIDC_NAME: text.max(60).optional().describe("display name of the provider; default: its host"),
  OIDC_AUDIENCE: text
    .optional()
    .describe("audience of the provider's access tokens that may create purchase tokens; default: none are accepted"),
};

export const personalData = {
  ACCOUNT_EXPORT_DAYS: integer(1, 90)
    .default(7)
    .describe("days for which a completed export of an account can be downloaded"),
  ACCOUNT_DELETION_DELAY_DAYS: integer(0, 90)
    .default(7)
    .describe("days between the request of an account's deletion and its execution; the owner can cancel it meanwhile"),
};

export const retention = {
  DECLINED_PAYMENT_DAYS: integer(1, 3_650).default(90).describe("days for which declined payments are retained"),
  LEDGER_URL_DAYS: integer(1, 3_650)
    .default(90)
    .describe("days after which the query is cut from the URLs of payments, declined payments and purchase tokens"),
  LEDGER_DAYS: integer(3_650, 36_500)
    .default(3_653)
    .describe(
      "days for which the ledger, deletions of accounts and administrators' acts are retained, at least ten years",
    ),
  MAIL_DRAFT_DAYS: integer(1, 3_650)
    .default(180)
    .describe("days after their last change for which drafts are retained"),
  ORDER_ARTIFACT_DAYS: integer(1, 3_650)
    .default(180)
    .describe("days for which screenshots, HAR archives and pages of orders are retained"),
  ORDER_DATA_DAYS: integer(1, 3_650)
    .default(540)
    .describe(
      "days after an order's end for which its prompt, confirmation and delivery address are retained, for card disputes",
    ),
  REMOVED_CARD_DAYS: integer(0, 3_650)
    .default(0)
    .describe("days for which the name and billing address of a removed card are retained"),
};
