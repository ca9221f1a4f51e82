/** Order to swap one token for another, as entered in the form. */
export interface TradeOrder {
  readonly sellToken: string;
  readonly buyToken: string;
  /** Amount in whole tokens, as an exact decimal. */
  readonly sellAmount: string;
  readonly slippagePercentage: number;
}

export function readTradeOrder(form: FormData): TradeOrder {
  const text = (name: keyof TradeOrder) => String(form.get(name) ?? "").trim();
  return {
    sellToken: text("sellToken"),
    buyToken: text("buyToken"),
    sellAmount: text("sellAmount"),
    slippagePercentage: Number(text("slippagePercentage")),
  };
}
