import { isAddress } from "@solana/kit";
import express, { type Express, type Router } from "express";
import { z } from "zod";
import type { EvmChain } from "./evm/chain.ts";
import type { Settlements } from "./facilitator/settlements.ts";
import { NETWORK_NAMES, type NetworkName } from "./networks.ts";
import type { Observed } from "./seller/observed.ts";
import type { SolanaChain } from "./solana/chain.ts";

const AtomicAmount = z.union([z.string().regex(/^\d{1,30}$/), z.int().nonnegative()]).transform(BigInt);
const FundBody = z.object({
  evmAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  solanaAddress: z.string().refine(isAddress, "not a Solana address").optional(),
  network: z.enum(NETWORK_NAMES as [NetworkName, ...NetworkName[]]).optional(),
  usdcAtomic: AtomicAmount.optional(),
  nativeAtomic: AtomicAmount.optional(),
  topUp: z.boolean().optional(),
  approvePermit2: z.boolean().optional(),
});

/**
 * Creates the sandbox's admin API for scripts and tests.
 *
 * - `POST /fund` mints `usdcAtomic` and raises the native balance, on all started networks or on `network`. With `topUp` it
 *   mints only the missing USDC. `approvePermit2` approves Permit2 as a spender of the address's USDC.
 * - `GET /settlements` lists the settled payments.
 * - `GET /observed?path=` lists the received requests.
 * - `POST /reset-faults` clears faults and observed requests.
 */
export function createAdminApp(
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
    const { success, data, error } = FundBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    const { evmAddress, solanaAddress, network, approvePermit2, ...funds } = data;
    const selectChains = <T extends EvmChain | SolanaChain>(chains: T[]) =>
      chains.filter((chain) => network === undefined || chain.network.name === network);
    const evm = evmAddress ? selectChains(evmChains) : [];
    const solana = solanaAddress ? selectChains(solanaChains) : [];
    await Promise.all([
      ...evm.map((chain) => chain.fund(evmAddress as `0x${string}`, funds)),
      ...solana.map((chain) => chain.fund(solanaAddress ?? "", funds)),
    ]);
    if (approvePermit2) await Promise.all(evm.map((chain) => chain.approvePermit2(evmAddress as `0x${string}`)));
    response.json({ funded: [...evm, ...solana].map((chain) => chain.network.name) });
  });

  // Lets a second sandbox detect that the data folder is in use.
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
