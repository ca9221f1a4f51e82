import { isAddress } from "@solana/kit";
import express, { type Express, type Router } from "express";
import { z } from "zod";
import type { EvmChain } from "./evm/chain.ts";
import type { Settlements } from "./facilitator/settlements.ts";
import { NETWORK_NAMES, type NetworkName } from "./networks.ts";
import type { Observed } from "./shop/observed.ts";
import type { SolanaChain } from "./solana/chain.ts";

const atomic = z.union([z.string().regex(/^\d{1,30}$/), z.int().nonnegative()]).transform(BigInt);
const fundBody = z.object({
  evmAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  solanaAddress: z.string().refine(isAddress, "not a Solana address").optional(),
  network: z.enum(NETWORK_NAMES as [NetworkName, ...NetworkName[]]).optional(),
  usdcAtomic: atomic.optional(),
  nativeAtomic: atomic.optional(),
  topUp: z.boolean().optional(),
  approvePermit2: z.boolean().optional(),
});

/**
 * What scripts and tests may do to the sandbox: `POST /fund` (mints USDC, with `topUp` what is missing of it; raises the native
 * balance; on all started networks unless one is named; `approvePermit2` lets Permit2 move the address's USDC),
 * `GET /settlements`, `GET /observed?path=`, `POST /reset-faults`.
 */
export function adminApp(
  dataDir: string,
  evmChains: EvmChain[],
  solanaChains: SolanaChain[],
  settlements: Settlements,
  observed: Observed,
  routers: { dex: Router | null; stores: Router; mail: Router },
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());
  if (routers.dex) app.use("/dex", routers.dex);
  app.use("/stores", routers.stores);
  app.use("/mail", routers.mail);

  app.post("/fund", async (request, response) => {
    const { success, data, error } = fundBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    const { evmAddress, solanaAddress, network, approvePermit2, ...funds } = data;
    const wanted = <T extends EvmChain | SolanaChain>(chains: T[]) =>
      chains.filter((chain) => network === undefined || chain.network.name === network);
    const evm = evmAddress ? wanted(evmChains) : [];
    const solana = solanaAddress ? wanted(solanaChains) : [];
    await Promise.all([
      ...evm.map((chain) => chain.fund(evmAddress as `0x${string}`, funds)),
      ...solana.map((chain) => chain.fund(solanaAddress ?? "", funds)),
    ]);
    if (approvePermit2) await Promise.all(evm.map((chain) => chain.approvePermit2(evmAddress as `0x${string}`)));
    response.json({ funded: [...evm, ...solana].map((chain) => chain.network.name) });
  });

  // Tells a second sandbox that this folder is taken.
  app.get("/health", (_request, response) => void response.json({ dataDir }));
  app.get("/settlements", (_request, response) => void response.json({ settlements: settlements.list() }));
  app.get("/observed", (request, response) => {
    const { path } = request.query;
    response.json(observed.query(typeof path === "string" ? path : undefined));
  });
  app.post("/reset-faults", (_request, response) => {
    observed.reset();
    response.json({ reset: true });
  });
  return app;
}
