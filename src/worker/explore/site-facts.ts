/** Who a shop is, told from what its pages say: to machines first, then to people. */
import { addressOf, nodesIn, nodesOf, textOf } from "../../checkout/shop-pages/linked-data.ts";
import type { PageFacts } from "../../checkout/shop-pages/read-page.ts";
import { NOWHERE } from "../../checkout/worker-protocol/exploration.ts";

const SHOP_TYPES = [
  "OnlineStore",
  "Store",
  "Organization",
  "Corporation",
  "LocalBusiness",
  "OnlineBusiness",
  "WebSite",
];
const TITLE_MARKS = /\s+[|–—·•»:]\s+|\s+-\s+/;
const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });
/** Domains of a country that the whole world uses. */
const FOR_ANYBODY = new Set(["IO", "CO", "AI", "ME", "TV", "CC", "FM", "GG", "LY", "TO", "WS", "EU", "VC", "SO", "SH"]);

/** @param pages the one that is open first @param host where the shop is */
export function shopNameOf(pages: readonly PageFacts[], host: string): string {
  const named = nodesOf(
    pages.flatMap(({ linkedData }) => linkedData),
    SHOP_TYPES,
  ).map((node) => textOf(node["name"]));
  const said = [
    ...pages.map(({ meta }) => meta.get("og:site_name")),
    ...named,
    ...pages.map(({ meta }) => meta.get("application-name")),
  ];
  return said.find((name) => name) ?? sharedTitle(pages) ?? host.replace(/^www\./, "");
}

/** The part that most titles share, such as `Quarry Tools` in `Hammer – Quarry Tools`; of a single one the last. */
function sharedTitle(pages: readonly PageFacts[]): string | null {
  const titles = [...new Set(pages.map(({ title }) => title))];
  const parts = titles.map((title) => title.split(TITLE_MARKS).filter((part) => part !== ""));
  const [own = []] = parts;
  const countOf = (part: string) => parts.filter((other) => other.includes(part)).length;
  return own.toReversed().toSorted((one, other) => countOf(other) - countOf(one))[0] ?? null;
}

export function logoOf(pages: readonly PageFacts[], origin: string): string | null {
  for (const node of nodesOf(
    pages.flatMap(({ linkedData }) => linkedData),
    SHOP_TYPES,
  )) {
    const logo = addressOf(node["logo"], origin);
    if (logo) return logo;
  }
  return null;
}

/**
 * The country it says it is in; else the one that its language, its domain, its only destination or its currency is of.
 * @param known.chosen the country its checkout begins with
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
  const shops = nodesOf(
    pages.flatMap(({ linkedData }) => linkedData),
    SHOP_TYPES,
  );
  const said = shops
    .flatMap((node) => nodesIn(node["address"]))
    .map((address) => codeOf(textOf(address["addressCountry"]) ?? ""));
  const spoken = pages.map(({ lang }) => /^[a-z]{2,3}-([A-Z]{2})$/i.exec(lang ?? "")?.[1]?.toUpperCase() ?? null);
  const only = known.shipsTo.length === 1 ? (known.shipsTo[0] ?? null) : null;
  const guesses = [...said, ...spoken, ofDomain(known.hostname), only, known.chosen, ofCurrency(known.currency)];
  return guesses.find((code) => code !== null && isCountry(code)) ?? NOWHERE;
}

function ofDomain(hostname: string): string | null {
  const last = /\.([a-z]{2})$/i.exec(hostname)?.[1]?.toUpperCase();
  if (!last || FOR_ANYBODY.has(last)) return null;
  return canonical(last);
}

/** The first two letters of a currency's code are its country's (ISO 4217), but for those of several. */
function ofCurrency(currency: string): string | null {
  return /^(?:EU|X)/.test(currency) ? null : currency.slice(0, 2);
}

const NO_COUNTRIES = new Set([NOWHERE, "EU", "EZ", "UN"]);

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code)) return false;
  return canonical(code) === code && COUNTRY_NAMES.of(code) !== code;
}

/** `UK` is `GB`, and what is no more is what came after it. */
function canonical(code: string): string {
  return new Intl.Locale(`und-${code}`).region ?? code;
}

const BY_NAME = new Map(
  Array.from({ length: 676 }, (_, at) => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)))
    .filter(isCountry)
    .map((code) => [COUNTRY_NAMES.of(code)?.toLowerCase() ?? code, code]),
);

/** ISO 3166 of what a page writes: a code, or an English name; null for anything else. */
export function codeOf(written: string): string | null {
  const text = written.trim();
  const code = /^[a-z]{2}$/i.test(text) ? canonical(text.toUpperCase()) : "";
  return isCountry(code) ? code : (BY_NAME.get(text.toLowerCase()) ?? null);
}
