import { expect, it } from "vitest";
import { findNearestName } from "../../rest-compat/nearest-name.ts";

const CART = ["merchant_id", "items", "pickup_location", "pickup_location_id", "ship_to", "constraints"];
const MAIL = ["to", "subject", "body", "cc", "attachmentIds"];
const TRADE = ["sellToken", "buyToken", "sellAmount", "slippagePercentage", "minBuyAmount", "network"];

it.each([
  ["shipTo", CART, "ship_to"],
  ["constraint", CART, "constraints"],
  ["item", CART, "items"],
  ["pickup", CART, "pickup_location"],
  ["PICKUP-LOCATION-ID", CART, "pickup_location_id"],
  ["merchent_id", CART, "merchant_id"],
  ["slippage", TRADE, "slippagePercentage"],
  ["sellAmuont", TRADE, "sellAmount"],
  ["minBuyAmonut", TRADE, "minBuyAmount"],
  ["expiresAt", TRADE, null],
  ["attachments", MAIL, "attachmentIds"],
  ["bcc", MAIL, null],
  ["html", MAIL, null],
  ["CC", MAIL, "cc"],
  ["event", ["url", "description", "events"], "events"],
  ["", MAIL, null],
  ["anything", [], null],
])("%j is nearest to %j: %j", (name, known, expected) => {
  expect(findNearestName(name, known)).toBe(expected);
});
