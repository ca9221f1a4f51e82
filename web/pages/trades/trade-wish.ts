/** What somebody wants to swap. */
export interface TradeWish {
  readonly sellToken: string;
  readonly buyToken: string;
  /** Whole tokens, as an exact decimal. */
  readonly sellAmount: string;
  readonly slippagePercentage: number;
}

export function wishOf(form: FormData): TradeWish {
  const text = (name: keyof TradeWish) => String(form.get(name) ?? "").trim();
  return {
    sellToken: text("sellToken"),
    buyToken: text("buyToken"),
    sellAmount: text("sellAmount"),
    slippagePercentage: Number(text("slippagePercentage")),
  };
}
