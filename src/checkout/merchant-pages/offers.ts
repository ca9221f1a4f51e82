/** Price and availability of schema.org offers. */
import { toMinor } from "../money.ts";
import { findNodes, hasType, type Node, readText, toNodes } from "./linked-data.ts";

export interface Price {
  readonly priceMinor: number;
  readonly currency: string;
}

const THOUSANDS = /^(\d{1,3}(?:,\d{3})+)(\.\d+)?$/;
const COMMA = /^(\d+),(\d{1,2})$/;
const AVAILABLE = new Set([
  "instock",
  "limitedavailability",
  "onlineonly",
  "preorder",
  "presale",
  "backorder",
  "madetoorder",
]);

/** Returns the price of an offer; null if it is missing, or not a valid amount of its currency. */
export function readOfferPrice(offer: Node): Price | null {
  for (const node of [offer, ...toNodes(offer["priceSpecification"])]) {
    // The highest of several prices is an upper bound of the payment.
    const price = readText(node["price"]) ?? readText(node["highPrice"]) ?? readText(node["lowPrice"]);
    const currency = (readText(node["priceCurrency"]) ?? readText(offer["priceCurrency"]))?.toUpperCase();
    const read = price !== null && currency ? readPrice(price, currency) : null;
    if (read) return read;
  }
  return null;
}

/** Parses a decimal price. Also accepts formatted numbers that some merchants write, such as `1,299.00` or `12,50`. */
export function readPrice(text: string, currency: string): Price | null {
  const bare = text.replace(/[^\d.,]/g, "");
  const decimal = THOUSANDS.test(bare) ? bare.replaceAll(",", "") : bare.replace(COMMA, "$1.$2");
  const priceMinor = toMinor(decimal, currency);
  return priceMinor === null ? null : { priceMinor, currency };
}

/** Reports whether an offer is available; an offer without availability counts as available. */
export function isAvailable(value: unknown): boolean {
  const availability = readText(value);
  return (
    availability === null ||
    AVAILABLE.has(
      availability
        .replace(/^.*[/#:]/, "")
        .replace(/[\s_-]/g, "")
        .toLowerCase(),
    )
  );
}

/** Returns the individual offers of a product. An aggregate offer without individual offers counts as one. */
export function findOffers(product: Node): Node[] {
  return toNodes(product["offers"]).flatMap((offer) => {
    const inner = hasType(offer, "AggregateOffer") ? toNodes(offer["offers"]) : [];
    return inner.length > 0 ? inner : [offer];
  });
}

/** Reports whether prices include tax; null if no offer states it. */
export function isTaxIncluded(linkedData: readonly unknown[]): boolean | null {
  const types = ["PriceSpecification", "UnitPriceSpecification", "CompoundPriceSpecification", "Offer"];
  const statements = findNodes(linkedData, types).map(
    (node) => readText(node["valueAddedTaxIncluded"]) ?? node["valueAddedTaxIncluded"],
  );
  if (statements.some((one) => one === true || one === "true" || one === "True")) return true;
  return statements.some((one) => one === false || one === "false" || one === "False") ? false : null;
}
