/** Payment requirements of the benchmark seller: X402 version 2, scheme `exact`, an amount too small to reach a limit. */
import { NETWORKS } from "../../sandbox/networks.ts";

const NETWORK = NETWORKS["base-sepolia"];

export function createOffer(url: string) {
  return {
    x402Version: 2,
    error: "Payment required",
    resource: { url, description: "A bench's resource", mimeType: "application/json" },
    accepts: [
      {
        scheme: "exact",
        network: NETWORK.caip2,
        amount: "100",
        asset: NETWORK.usdc,
        payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        maxTimeoutSeconds: 60,
        extra: NETWORK.usdcDomain,
      },
    ],
  };
}
