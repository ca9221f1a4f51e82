import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { UptoEvmScheme } from "@x402/evm/upto/server";
import { paymentMiddlewareFromHTTPServer, setSettlementOverrides } from "@x402/express";
import { ExactSvmScheme } from "@x402/svm/exact/server";
import type { RequestHandler } from "express";
import { NETWORKS, type Network } from "../networks.ts";
import { MAX_TIMEOUT_SECONDS, payTo } from "./requirements.ts";
import { type PaidResource, usedAtomic } from "./resources.ts";

/** Extension that lets the payer approve Permit2 through EIP-2612 (x402 specs/extensions/eip2612_gas_sponsoring.md). */
export const GAS_SPONSORING = {
  info: { description: "A permit for Permit2 is sent along with the payment.", version: "1" },
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    required: ["from", "asset", "spender", "amount", "nonce", "deadline", "signature", "version"],
    properties: {
      from: { type: "string", pattern: "^0x[a-fA-F0-9]{40}$" },
      asset: { type: "string", pattern: "^0x[a-fA-F0-9]{40}$" },
      spender: { type: "string", pattern: "^0x[a-fA-F0-9]{40}$" },
      amount: { type: "string", pattern: "^[0-9]+$" },
      nonce: { type: "string", pattern: "^[0-9]+$" },
      deadline: { type: "string", pattern: "^[0-9]+$" },
      signature: { type: "string", pattern: "^0x[a-fA-F0-9]+$" },
      version: { type: "string", pattern: "^[0-9]+(\\.[0-9]+)*$" },
    },
  },
};

/** Payment middleware of the reference packages for version 2. Resolves after it has contacted the facilitator. */
export async function version2Gate(facilitatorUrl: string, resources: PaidResource[]): Promise<RequestHandler> {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }));
  for (const network of new Set(resources.map((resource) => NETWORKS[resource.network] as Network))) {
    if (network.kind === "solana") {
      server.register(network.caip2, new ExactSvmScheme()).register(network.caip2Alias, new ExactSvmScheme());
    } else server.register(network.caip2, new ExactEvmScheme()).register(network.caip2, new UptoEvmScheme());
  }
  const routes = resources.map((resource) => {
    const network = NETWORKS[resource.network];
    const accepts = {
      scheme: resource.scheme,
      network: resource.plainChainName && network.kind === "solana" ? network.caip2Alias : network.caip2,
      payTo: payTo(resource.network),
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
      price: {
        asset: network.usdc,
        amount: String(resource.priceAtomic),
        ...(network.kind === "evm" ? { extra: network.usdcDomain } : {}),
      },
    };
    const extensions = resource.scheme === "upto" ? { extensions: { eip2612GasSponsoring: GAS_SPONSORING } } : {};
    const description = { description: resource.description, mimeType: "application/json" };
    return [`${resource.method} ${resource.path}`, { accepts, ...description, ...extensions }];
  });
  const gate = new x402HTTPResourceServer(server, Object.fromEntries(routes));
  await gate.initialize();
  return paymentMiddlewareFromHTTPServer(gate, undefined, undefined, false);
}

/** Serves a version 2 resource behind the middleware. For `upto` it sets the actual charge. */
export function version2Handler(resource: PaidResource): RequestHandler {
  return (request, response) => {
    if (resource.scheme === "upto") {
      setSettlementOverrides(response, {
        amount: usedAtomic(request, BigInt(String(resource.priceAtomic))).toString(),
      });
    }
    resource.serve(request, response);
  };
}
