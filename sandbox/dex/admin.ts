import { Router } from "express";
import type { Hex } from "viem";
import { z } from "zod";
import { type DexFaults, FAULTS, type Fault } from "./faults.ts";
import type { Market } from "./market.ts";
import { TOKENS } from "./tokens.ts";

const faultBody = z.object({ fault: z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]).nullable() });
const fundBody = z.object({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  symbol: z.string(),
  amountAtomic: z.string().regex(/^\d{1,40}$/),
});

/** Routes to inspect the exchange (`GET /`), set or clear its fault (`POST /fault`, null clears) and mint a token (`POST /fund`). */
export function dexAdmin(market: Market, faults: DexFaults): Router {
  const router = Router();
  router.get(
    "/",
    (_request, response) => void response.json({ ...faults, faults: FAULTS, tokens: TOKENS.map(toTokenSummary) }),
  );
  router.post("/fault", (request, response) => {
    const { success, data, error } = faultBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    faults.current = data.fault;
    response.json({ fault: data.fault });
  });
  router.post("/fund", async (request, response) => {
    const { success, data, error } = fundBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    const token = TOKENS.find(({ symbol }) => symbol === data.symbol);
    if (!token) return void response.status(400).json({ error: `Unknown token: ${data.symbol}` });
    await market.fund(token, data.address as Hex, BigInt(data.amountAtomic));
    response.json({ funded: token.symbol });
  });
  return router;
}

function toTokenSummary({ symbol, name, address, decimals }: (typeof TOKENS)[number]) {
  return { symbol, name, address, decimals };
}
