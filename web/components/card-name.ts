const BRANDS: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  "american-express": "American Express",
  "diners-club": "Diners Club",
  discover: "Discover",
  jcb: "JCB",
  unionpay: "UnionPay",
  maestro: "Maestro",
  elo: "Elo",
  mir: "Mir",
  hiper: "Hiper",
  hipercard: "Hipercard",
  troy: "Troy",
  naranja: "Naranja",
  verve: "Verve",
};

/** Returns the brand and the last four digits of a card: "Visa ending 4242". */
export function cardName({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${BRANDS[brand] ?? brand} ending ${last4}`;
}
