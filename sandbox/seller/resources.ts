import type { Request, Response } from "express";
import type { NetworkName } from "../endpoints.ts";
import { NETWORKS } from "../networks.ts";
import { requestedBytes, streamBytes } from "./stream.ts";

/** A paid resource of the correct sellers. Prices are in USDC's smallest unit (1,000,000 = 1 USD). */
export interface PaidResource {
  method: "GET" | "POST";
  /** An express path. */
  path: string;
  x402Version: 1 | 2;
  scheme: "exact" | "upto";
  network: NetworkName;
  /** Version 2 on Solana: identifies the chain as `solana:mainnet` or `solana:devnet` instead of by its genesis hash. */
  plainChainName?: boolean;
  priceAtomic: bigint | ((request: Request) => bigint);
  description: string;
  mimeType?: string;
  serve(request: Request, response: Response): void;
}

/** Actual charge of `upto` resources without `?use=`. */
const UPTO_DEFAULT_USE_ATOMIC = 12_000n;
const UPTO_CAP_ATOMIC = 50_000n;

const weather = (_request: Request, response: Response) => {
  response.json({ place: "Porto", temperatureCelsius: 17, sky: "clear", observedAt: new Date().toISOString() });
};
const echo = (request: Request, response: Response) => {
  response.json({ method: request.method, query: request.query, body: request.body ?? null });
};
const stream = (request: Request, response: Response) =>
  void streamBytes(response, requestedBytes(request.query["bytes"]));
const usage = (request: Request, response: Response) => {
  response.json({ answer: "Charged for what was used.", usedAtomic: usedAtomic(request, UPTO_CAP_ATOMIC).toString() });
};

/** Returns the actual charge of an `upto` request: `?use=<atomic>`, at most the cap. */
export function usedAtomic(request: Request, capAtomic: bigint): bigint {
  const requested = request.query["use"];
  const used =
    typeof requested === "string" && /^\d{1,18}$/.test(requested) ? BigInt(requested) : UPTO_DEFAULT_USE_ATOMIC;
  return used < capAtomic ? used : capAtomic;
}

function resource(
  x402Version: 1 | 2,
  network: NetworkName,
  path: string,
  changes: Partial<PaidResource> = {},
): PaidResource {
  const place = `${network}, version ${x402Version}`;
  return {
    method: "GET",
    path,
    x402Version,
    scheme: "exact",
    network,
    priceAtomic: 10_000n,
    description: `Weather report (${place})`,
    serve: weather,
    ...changes,
  };
}

const exactEverywhere = (Object.keys(NETWORKS) as NetworkName[]).flatMap((network) =>
  ([1, 2] as const).map((version) => resource(version, network, `/v${version}/${network}/weather`)),
);
const uptoEverywhere = (["base-sepolia", "base"] as const).flatMap((network) =>
  ([1, 2] as const).map((version) =>
    resource(version, network, `/v${version}/upto/${network}`, {
      scheme: "upto",
      priceAtomic: UPTO_CAP_ATOMIC,
      description: `Pay for what you use, at most 0.05 USD (${network}, version ${version}); ?use= atomic units`,
      serve: usage,
    }),
  ),
);

export const PAID_RESOURCES: PaidResource[] = [
  resource(1, "base-sepolia", "/v1/weather"),
  resource(2, "base-sepolia", "/v2/weather"),
  ...exactEverywhere,
  ...uptoEverywhere,
  ...(["solana", "solana-devnet"] as const).map((network) =>
    resource(2, network, `/v2/plain/${network}/weather`, {
      plainChainName: true,
      description: `Weather report (${network}, version 2, chain id without genesis hash)`,
    }),
  ),
  resource(1, "base-sepolia", "/v1/echo", { method: "POST", description: "Echoes a JSON body", serve: echo }),
  resource(2, "base-sepolia", "/v2/echo", { method: "POST", description: "Echoes a JSON body", serve: echo }),
  resource(1, "base-sepolia", "/v1/stream", {
    description: "Streams ?bytes= bytes",
    mimeType: "application/octet-stream",
    serve: stream,
  }),
  resource(1, "base-sepolia", "/v1/price/:atomic", {
    priceAtomic: (request) =>
      BigInt(/^\d{1,18}$/.test(String(request.params["atomic"])) ? String(request.params["atomic"]) : 0),
    description: "The price in the path, in atomic units",
  }),
];
