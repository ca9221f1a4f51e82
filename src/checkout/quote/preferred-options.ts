/** Order of fulfilment options by the preference of an exploration, in the user's words. Selects none of them. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { readExploration } from "../orders/request.ts";
import { readQueryWords, readWords } from "../product-index/words.ts";
import { compareWords } from "./compare-words.ts";
import type { FulfillmentOption, FulfillmentType } from "./fulfillment.ts";

/** Words for each type, in addition to the option's own. */
const TYPE_WORDS: Readonly<Record<FulfillmentType, string>> = {
  shipping: "deliver delivered delivery home mail post ship shipped shipping",
  local_delivery: "courier deliver delivered delivery home local",
  pickup: "click collect collection pick pickup retail store",
  pickup_point: "collect collection locker parcel pick pickup point",
  digital: "digital download email",
};
const FAST = /\bexpress\b|\bovernight\b|\bpriority\b|\bnext[- ](?:working |business )?day\b|\bsame[- ]day\b/i;
const FAST_WORDS = new Set(
  "asap express fast faster fastest immediate immediately quick quicker quickest soon urgent urgently".split(" "),
);
const CHEAP_WORDS = new Set("cheap cheaper cheapest economical free lowest".split(" "));

/** Returns the preference of the account's latest exploration of the merchant; null if there is none. */
export async function findPreference(
  { prisma }: Database,
  accountId: string,
  merchantId: string,
): Promise<string | null> {
  const latest = await prisma.checkoutOrder.findFirst({
    // Dry runs are explored orders without a preference.
    where: { accountId, merchantId, kind: "explored", status: "explored", dryRun: { equals: Prisma.DbNull } },
    orderBy: { createdAt: "desc" },
    select: { kind: true, request: true },
  });
  return latest ? (readExploration(latest)?.prefs ?? null) : null;
}

/** Sorts options by the number of the preference's words that they match. Others retain their order. */
export function rankByPreference(options: readonly FulfillmentOption[], preference: string): FulfillmentOption[] {
  const words = readQueryWords(preference);
  const lowest = Math.min(...options.map(({ amountMinor }) => amountMinor));
  const scoreOf = ({ type, title, description, amountMinor }: FulfillmentOption) => {
    const text = `${title} ${description ?? ""}`;
    const own = readWords(`${text} ${TYPE_WORDS[type]}`);
    return words.reduce((sum, word) => {
      const isMeant = (FAST_WORDS.has(word) && FAST.test(text)) || (CHEAP_WORDS.has(word) && amountMinor === lowest);
      return sum + (isMeant ? 1 : Math.max(...own.map((one) => compareWords(word, one))));
    }, 0);
  };
  const scores = new Map(options.map((option) => [option, scoreOf(option)]));
  return options.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}
