/** Client of 0x's Swap API v2, allowance-holder variant (docs.0x.org/api-reference). */
import { z } from "zod";
import { NETWORKS } from "../wallet/networks.ts";
import {
  type Dex,
  type DexFee,
  type DexPrice,
  type DexQuote,
  DexRefusalError,
  DexUnavailableError,
  type SwapTerms,
} from "./dex.ts";
import { TRADE_NETWORK } from "./tokens.ts";
import { readRefusal } from "./zero-ex-refusals.ts";

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 512 * 1024;
const MAX_CALLDATA_CHARACTERS = 2 * 64 * 1024;

const amount = z.union([z.string().regex(/^\d{1,78}$/), z.int().nonnegative()]).transform(BigInt);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const bps = z.coerce.number().int().min(0).max(10_000).nullish().catch(null);
const taxes = z.object({ buyTaxBps: bps, sellTaxBps: bps }).nullish();
const fee = z.object({ amount, token: address }).nullish();

const price = z.object({
  sellToken: address,
  buyToken: address,
  sellAmount: amount,
  maxSellAmount: amount.nullish(),
  buyAmount: amount,
  minBuyAmount: amount.nullish(),
  fees: z.object({ integratorFee: fee, zeroExFee: fee, gasFee: fee }).nullish(),
  totalNetworkFee: amount.nullish(),
  route: z
    .object({ fills: z.array(z.object({ source: z.string().max(80), proportionBps: z.coerce.number() })).max(100) })
    .nullish(),
  allowanceTarget: address.nullish(),
  issues: z
    .object({
      allowance: z.object({ spender: address }).nullish(),
      balance: z.object({ token: z.string() }).nullish(),
      simulationIncomplete: z.boolean().nullish(),
    })
    .nullish(),
  tokenMetadata: z.object({ sellToken: taxes, buyToken: taxes }).nullish(),
});
const quote = price.extend({
  transaction: z.object({
    to: address,
    data: z
      .string()
      .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
      .max(MAX_CALLDATA_CHARACTERS),
    value: amount.nullish(),
    gas: amount,
  }),
});
const noLiquidity = z.object({ liquidityAvailable: z.literal(false) });

/** @param options.baseUrl such as `https://api.0x.org`; trusted, because the operator configures it */
export function createZeroEx(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs?: number;
}): Dex {
  const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS } = options;

  async function request<Result>(
    kind: "price" | "quote",
    terms: SwapTerms,
    schema: z.ZodType<Result>,
  ): Promise<Result> {
    const query = new URLSearchParams({
      chainId: String(NETWORKS[TRADE_NETWORK].chainId),
      sellToken: terms.sellToken,
      buyToken: terms.buyToken,
      [`${terms.amount.side}Amount`]: terms.amount.atomic.toString(),
      taker: terms.taker,
      slippageBps: String(terms.slippageBps),
    });
    const { status, body } = await fetchJson(`${baseUrl}/swap/allowance-holder/${kind}?${query}`, {
      headers: { "0x-api-key": apiKey, "0x-version": "v2", accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (status !== 200) throw readRefusal(status, body) ?? new DexUnavailableError(`Status${status}`);
    if (noLiquidity.safeParse(body).success) throw new DexRefusalError("no_liquidity");
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new DexUnavailableError("InvalidResponse");
    return parsed.data;
  }

  return {
    price: async (terms) => priceOf(await request("price", terms, price), terms),
    async quote(terms): Promise<DexQuote> {
      const response = await request("quote", terms, quote);
      const { to, data, value, gas } = response.transaction;
      return {
        ...priceOf(response, terms),
        spender: response.issues?.allowance?.spender ?? response.allowanceTarget ?? null,
        transaction: { to, data: data as `0x${string}`, valueWei: value ?? 0n, gas },
      };
    },
  };
}

/**
 * Returns the price in the response. An exact purchase has `maxSellAmount` in place of `minBuyAmount`
 * (docs.0x.org/evm/0x-swap-api/additional-topics/exact-buy).
 *
 * @throws {DexUnavailableError} without that field
 */
function priceOf(response: z.output<typeof price>, { amount: stated }: SwapTerms): DexPrice {
  const isPurchase = stated.side === "buy";
  const maxSellAtomic = isPurchase ? response.maxSellAmount : response.sellAmount;
  const minBuyAtomic = isPurchase ? stated.atomic : response.minBuyAmount;
  if (typeof maxSellAtomic !== "bigint" || typeof minBuyAtomic !== "bigint") {
    throw new DexUnavailableError("InvalidResponse");
  }
  const { integratorFee, zeroExFee, gasFee } = response.fees ?? {};
  const kinds = [
    ["integrator", integratorFee],
    ["exchange", zeroExFee],
    ["gas", gasFee],
  ] as const;
  return {
    sellToken: response.sellToken,
    buyToken: response.buyToken,
    sellAtomic: response.sellAmount,
    maxSellAtomic,
    buyAtomic: response.buyAmount,
    minBuyAtomic,
    fees: kinds.flatMap(([kind, it]): DexFee[] =>
      it ? [{ kind, amountAtomic: it.amount, token: it.token as `0x${string}` }] : [],
    ),
    networkFeeWei: response.totalNetworkFee ?? null,
    route: response.route?.fills ?? [],
    sellTaxBps: response.tokenMetadata?.sellToken?.sellTaxBps ?? null,
    buyTaxBps: response.tokenMetadata?.buyToken?.buyTaxBps ?? null,
    lacksBalance: (response.issues?.balance ?? null) !== null,
    isSimulated: response.issues?.simulationIncomplete !== true,
  };
}

/** Only the names of errors are passed on: their messages may contain the URL, and headers contain the key. */
async function fetchJson(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) throw new RangeError("The response is too large.");
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    return { status: response.status, body: parse(text) };
  } catch (error) {
    throw new DexUnavailableError((error as Error).name);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
