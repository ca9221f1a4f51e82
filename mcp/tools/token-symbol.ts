const SYMBOL = /^[A-Za-z0-9.$+_-]{1,16}$/;

/** Returns a token's symbol. Its contract chose it, so it is withheld unless it can only be a symbol. */
export function formatSymbol(symbol: string): string {
  return SYMBOL.test(symbol) ? symbol : "unknown token";
}
