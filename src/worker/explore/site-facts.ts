/** Facts about a merchant from its pages: structured data first, then visible content. */
import { findNodes, readText, readUrl, toNodes } from "../../checkout/merchant-pages/linked-data.ts";
import type { PageFacts } from "../../checkout/merchant-pages/read-page.ts";
import { UNKNOWN_COUNTRY } from "../../checkout/worker-protocol/exploration.ts";

const MERCHANT_TYPES = [
  "OnlineStore",
  "Store",
  "Organization",
  "Corporation",
  "LocalBusiness",
  "OnlineBusiness",
  "WebSite",
];
const TITLE_SEPARATORS = /\s+[|–—·•»:]\s+|\s+-\s+/;
const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });
/** Country-code domains that are commonly used outside their country. */
const GENERIC_COUNTRY_TLDS = new Set([
  "IO",
  "CO",
  "AI",
  "ME",
  "TV",
  "CC",
  "FM",
  "GG",
  "LY",
  "TO",
  "WS",
  "EU",
  "VC",
  "SO",
  "SH",
]);

/** Returns the merchant's name. @param pages facts, starting with the open page @param host used if no page states a name */
export function merchantNameOf(pages: readonly PageFacts[], host: string): string {
  const named = findNodes(
    pages.flatMap(({ linkedData }) => linkedData),
    MERCHANT_TYPES,
  ).map((node) => readText(node["name"]));
  const stated = [
    ...pages.map(({ meta }) => meta.get("og:site_name")),
    ...named,
    ...pages.map(({ meta }) => meta.get("application-name")),
  ];
  return stated.find((name) => name) ?? sharedTitle(pages) ?? host.replace(/^www\./, "");
}

/** Returns the title part shared by most pages, such as `Quarry Tools` in `Hammer – Quarry Tools`. For one title, the last part. */
function sharedTitle(pages: readonly PageFacts[]): string | null {
  const titles = [...new Set(pages.map(({ title }) => title))];
  const parts = titles.map((title) => title.split(TITLE_SEPARATORS).filter((part) => part !== ""));
  const [firstParts = []] = parts;
  const countOf = (part: string) => parts.filter((other) => other.includes(part)).length;
  return firstParts.toReversed().toSorted((one, other) => countOf(other) - countOf(one))[0] ?? null;
}

export function logoOf(pages: readonly PageFacts[], origin: string): string | null {
  for (const node of findNodes(
    pages.flatMap(({ linkedData }) => linkedData),
    MERCHANT_TYPES,
  )) {
    const logo = readUrl(node["logo"], origin);
    if (logo) return logo;
  }
  return null;
}

/**
 * Returns the merchant's country. In order: its stated address, the page language, the domain, the only destination, the
 * preselected country and the currency. `ZZ` if unknown.
 * @param known.chosen country preselected in the checkout
 */
export function countryOf(
  pages: readonly PageFacts[],
  known: {
    readonly hostname: string;
    readonly currency: string;
    readonly shipsTo: readonly string[];
    readonly chosen: string | null;
  },
): string {
  const merchants = findNodes(
    pages.flatMap(({ linkedData }) => linkedData),
    MERCHANT_TYPES,
  );
  const stated = merchants
    .flatMap((node) => toNodes(node["address"]))
    .map((address) => codeOf(readText(address["addressCountry"]) ?? ""));
  const languageRegions = pages.map(
    ({ lang }) => /^[a-z]{2,3}-([A-Z]{2})$/i.exec(lang ?? "")?.[1]?.toUpperCase() ?? null,
  );
  const onlyDestination = known.shipsTo.length === 1 ? (known.shipsTo[0] ?? null) : null;
  const guesses = [
    ...stated,
    ...languageRegions,
    countryOfDomain(known.hostname),
    onlyDestination,
    known.chosen,
    countryOfCurrency(known.currency),
  ];
  return guesses.find((code) => code !== null && isCountry(code)) ?? UNKNOWN_COUNTRY;
}

function countryOfDomain(hostname: string): string | null {
  const last = /\.([a-z]{2})$/i.exec(hostname)?.[1]?.toUpperCase();
  if (!last || GENERIC_COUNTRY_TLDS.has(last)) return null;
  return canonicalRegion(last);
}

/** The first two letters of an ISO 4217 code are the country's code, except for currencies of several countries. */
function countryOfCurrency(currency: string): string | null {
  return /^(?:EU|X)/.test(currency) ? null : currency.slice(0, 2);
}

const NOT_COUNTRIES = new Set([UNKNOWN_COUNTRY, "EU", "EZ", "UN"]);

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.has(code)) return false;
  return canonicalRegion(code) === code && COUNTRY_NAMES.of(code) !== code;
}

/** Maps deprecated region codes to their replacements, such as `UK` to `GB`. */
function canonicalRegion(code: string): string {
  return new Intl.Locale(`und-${code}`).region ?? code;
}

const BY_NAME = new Map(
  Array.from({ length: 676 }, (_, at) => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)))
    .filter(isCountry)
    .map((code) => [COUNTRY_NAMES.of(code)?.toLowerCase() ?? code, code]),
);

/** Returns the ISO 3166-1 alpha-2 code for a code or an English country name. Null for any other text. */
export function codeOf(written: string): string | null {
  const text = written.trim();
  const code = /^[a-z]{2}$/i.test(text) ? canonicalRegion(text.toUpperCase()) : "";
  return isCountry(code) ? code : (BY_NAME.get(text.toLowerCase()) ?? null);
}
