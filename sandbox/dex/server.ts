import { randomBytes } from "node:crypto";
import express, { type Express, type Response } from "express";
import { getAddress, type Hex } from "viem";
import { z } from "zod";
import { unrelatedEvmAddress } from "../identities.ts";
import { type DexFaults, REFUSALS } from "./faults.ts";
import type { Market } from "./market.ts";
import { isWrap, swapTransaction } from "./swap-transaction.ts";
import { ALLOWANCE_HOLDER, findToken, isNative, NATIVE, SETTLER } from "./tokens.ts";

const address = z
  .string()
  .regex(/^0x(?!0{40})[0-9a-fA-F]{40}$/)
  .transform((text) => text as Hex);
const amount = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((atomic) => atomic > 0n, "must be more than 0");
const querySchema = z
  .object({
    chainId: z.literal("8453"),
    sellToken: address,
    buyToken: address,
    sellAmount: amount.optional(),
    buyAmount: amount.optional(),
    taker: address.optional(),
    slippageBps: z.coerce.number().int().min(0).max(10_000).default(100),
  })
  .refine(({ sellAmount, buyAmount }) => (sellAmount === undefined) !== (buyAmount === undefined), {
    message: "exactly one of sellAmount and buyAmount is required",
    path: ["sellAmount"],
  });

const GAS = 300_000n;

/** Creates `GET /swap/allowance-holder/{price,quote}` in the format of 0x's Swap API v2, with prices from the pools on chain. */
export function dexApp(market: Market, faults: DexFaults): Express {
  const app = express();
  app.disable("x-powered-by");

  const route = (isFirm: boolean) => async (request: express.Request, response: Response) => {
    faults.requests += 1;
    const zid = `0x${randomBytes(12).toString("hex")}`;
    const fail = (status: number, name: string, message: string, details: object = {}) =>
      void response.status(status).json({ name, message, data: { zid, ...details } });
    if (!request.get("0x-api-key")) return void response.status(401).json({ message: "No API key found in request" });
    if (request.get("0x-version") !== "v2") return fail(400, "INPUT_INVALID", "The input is invalid");
    const fault = faults.current;
    if (fault === "hangs") return;
    if (fault === "error-500") return fail(500, "INTERNAL_SERVER_ERROR", "An internal server error occurred");
    if (fault === "rate-limited") return void response.status(429).json({ message: "API rate limit exceeded" });
    if (fault === "wrong-key") return void response.status(401).json({ message: "Invalid API key" });
    const [refusedWith, refusal] = (fault && REFUSALS[fault]) || [];
    if (refusedWith !== undefined) return fail(refusedWith, refusal ?? "", "The swap is refused");
    if (fault === "invalid-input") {
      return fail(400, "INPUT_INVALID", "The input is invalid", {
        details: [{ field: "sellAmount", reason: "Invalid" }],
      });
    }
    if (fault === "garbage") return void response.type("json").send('{"liquidityAvailable": tr');

    const { success, data: query, error } = querySchema.safeParse(request.query);
    if (!success || (isFirm && !query.taker)) {
      const details = error?.issues.map(({ path, message }) => ({ field: path.join("."), reason: message })) ?? [
        { field: "taker", reason: "Required" },
      ];
      return fail(400, "INPUT_INVALID", "The input is invalid", { details });
    }
    const { sellToken, buyToken, slippageBps, taker } = query;
    if (getAddress(sellToken) === getAddress(buyToken)) {
      return fail(400, "INPUT_INVALID", "The input is invalid", {
        details: [{ field: "buyToken", reason: "Same token" }],
      });
    }
    for (const token of [sellToken, buyToken]) {
      if (isNative(token) || (await market.isContract(token))) continue;
      return fail(400, "TOKEN_NOT_SUPPORTED", `The token ${token} is not supported`, { details: [{ field: "token" }] });
    }
    const isKnown = [sellToken, buyToken].every((token) => isNative(token) || findToken(token));
    if (!isKnown || fault === "no-liquidity") return void response.json({ liquidityAvailable: false, zid });
    const wrap = isWrap({ sellToken, buyToken });
    const isPurchase = query.buyAmount !== undefined;
    if (isPurchase && wrap) {
      return fail(400, "INPUT_INVALID", "The input is invalid", {
        details: [{ field: "buyAmount", reason: "Not supported for wrapping and unwrapping" }],
      });
    }
    const sellAmount = query.sellAmount ?? (await market.quotePurchase(sellToken, buyToken, query.buyAmount ?? 0n));
    if (sellAmount === 0n) return void response.json({ liquidityAvailable: false, zid });
    const quotedAmount = query.buyAmount ?? (wrap ? sellAmount : await market.quote(sellToken, sellAmount, buyToken));
    if (quotedAmount === 0n) return fail(400, "SELL_AMOUNT_TOO_SMALL", "The sell amount is too small");
    const buyAmount = fault === "stale-price" ? (quotedAmount * 12n) / 10n : quotedAmount;
    const guaranteed = isPurchase ? buyAmount : (buyAmount * BigInt(10_000 - slippageBps)) / 10_000n;
    // What is not sold is returned, so the whole slippage is on the sold side.
    const maxSellAmount = isPurchase ? (sellAmount * BigInt(10_000 + slippageBps) + 9_999n) / 10_000n : sellAmount;
    const minBuyAmount = fault === "low-minimum" ? guaranteed / 2n : guaranteed;
    const gasPrice = await market.chain.client.getGasPrice();
    const swap = {
      ...{ sellToken, sellAmount: maxSellAmount, buyToken, minBuyAmount, taker: taker ?? SETTLER },
      buyAmount: query.buyAmount,
    };
    response.json({
      allowanceTarget: isNative(sellToken) || wrap ? null : spenderOf(faults),
      blockNumber: String(await market.chain.client.getBlockNumber()),
      buyAmount: String(buyAmount),
      buyToken: buyToken.toLowerCase(),
      fees: { integratorFee: null, zeroExFee: feeOf(buyAmount, buyToken, wrap), gasFee: null },
      gas: String(GAS),
      gasPrice: String(gasPrice),
      issues: {
        ...(await issuesOf(market, faults, swap, wrap)),
        simulationIncomplete: false,
        invalidSourcesPassed: [],
      },
      liquidityAvailable: true,
      ...(isPurchase
        ? { maxSellAmount: String(fault === "more-than-asked" ? maxSellAmount * 2n : maxSellAmount) }
        : { minBuyAmount: String(minBuyAmount) }),
      route: routeOf(sellToken, buyToken),
      sellAmount: String(fault === "more-than-asked" ? sellAmount * 2n : sellAmount),
      sellToken: sellToken.toLowerCase(),
      tokenMetadata: { buyToken: NO_TAX, sellToken: NO_TAX },
      totalNetworkFee: String(GAS * gasPrice),
      zid,
      ...(isFirm ? { transaction: transactionOf(swap, faults, gasPrice) } : {}),
    });
  };
  app.get("/swap/allowance-holder/price", route(false));
  app.get("/swap/allowance-holder/quote", route(true));
  return app;
}

const NO_TAX = { buyTaxBps: "0", sellTaxBps: "0", transferTaxBps: "0" };

type Swap = Parameters<typeof swapTransaction>[0];

function transactionOf(swap: Swap, { current }: DexFaults, gasPrice: bigint) {
  const { to, data, value } = swapTransaction(swap, current);
  return { to, data, value: String(value), gas: String(GAS), gasPrice: String(gasPrice) };
}

function spenderOf({ current }: DexFaults): Hex {
  if (current === "spender") return unrelatedEvmAddress;
  return current === "settler-spender" ? SETTLER : ALLOWANCE_HOLDER;
}

/** Returns the pool fee of 0.05%, in the format of the API. */
function feeOf(buyAmount: bigint, buyToken: Hex, wrap: boolean) {
  return wrap ? null : { amount: String((buyAmount * 5n) / 10_000n), token: buyToken.toLowerCase(), type: "volume" };
}

async function issuesOf(market: Market, faults: DexFaults, { sellToken, sellAmount, taker }: Swap, wrap: boolean) {
  if (isNative(sellToken)) return { allowance: null, balance: null };
  const [allowance, balance] = await Promise.all([
    market.allowance(sellToken, taker),
    market.balance(sellToken, taker),
  ]);
  return {
    allowance: wrap || allowance >= sellAmount ? null : { actual: String(allowance), spender: spenderOf(faults) },
    balance:
      balance >= sellAmount
        ? null
        : { token: sellToken.toLowerCase(), actual: String(balance), expected: String(sellAmount) },
  };
}

function routeOf(sellToken: Hex, buyToken: Hex) {
  const symbolOf = (token: Hex) => (isNative(token) ? "ETH" : (findToken(token)?.symbol ?? ""));
  const [from, to] = [sellToken, buyToken].map((token) => (isNative(token) ? NATIVE : token).toLowerCase());
  return {
    fills: [{ from, to, source: "Sandbox_Pools", proportionBps: "10000" }],
    tokens: [
      { address: from, symbol: symbolOf(sellToken) },
      { address: to, symbol: symbolOf(buyToken) },
    ],
  };
}
