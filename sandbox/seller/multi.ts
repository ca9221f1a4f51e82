import type { RequestHandler } from "express";
import type { NetworkName } from "../endpoints.ts";
import { paid } from "./paid.ts";
import type { SellerProtocol } from "./protocol.ts";

/** A correct seller with a complex `accepts`: invalid entries, an unknown asset, unknown networks and several valid prices. */
export function multi(deps: {
  protocol: SellerProtocol;
  networks: NetworkName[];
  sellerUrl(): string;
}): RequestHandler {
  const offers = [
    { network: "base-sepolia", scheme: "exact", amountAtomic: 20_000n },
    { network: "base-sepolia", scheme: "upto", amountAtomic: 20_000n },
    { network: "base", scheme: "exact", amountAtomic: 15_000n },
    { network: "solana-devnet", scheme: "exact", amountAtomic: 18_000n },
  ] as const;
  return paid(deps.protocol, deps.sellerUrl, {
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
