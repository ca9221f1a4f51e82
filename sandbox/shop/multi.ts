import type { RequestHandler } from "express";
import type { NetworkName } from "../endpoints.ts";
import { paid } from "./paid.ts";
import type { Till } from "./till.ts";

/** An honest shop whose `accepts` is hard to read: junk, an unknown asset, unknown networks, and several real prices. */
export function multi(deps: { till: Till; networks: NetworkName[]; shopUrl(): string }): RequestHandler {
  const offers = [
    { network: "base-sepolia", scheme: "exact", amountAtomic: 20_000n },
    { network: "base-sepolia", scheme: "upto", amountAtomic: 20_000n },
    { network: "base", scheme: "exact", amountAtomic: 15_000n },
    { network: "solana-devnet", scheme: "exact", amountAtomic: 18_000n },
  ] as const;
  return paid(deps.till, deps.shopUrl, {
    description: "Sold on several networks at several prices",
    prices: () => offers.filter(({ network }) => deps.networks.includes(network)),
    decoys: ([real]) => [
      "not an object",
      { scheme: "exact" },
      { ...real, scheme: "barter", maxAmountRequired: "1" },
      { ...real, maxAmountRequired: "not a number" },
      { ...real, network: "atlantis", maxAmountRequired: "1" },
      { ...real, asset: "0x00000000000000000000000000000000DeaDBeef", maxAmountRequired: "1" },
    ],
    serve: (_request, response) => void response.json({ chosen: "well" }),
  });
}
