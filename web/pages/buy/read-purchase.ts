/** Parsing of links to the approval page (spec section 4.1): `?merchant=…&network=…&amount=…`. */

/** Unvalidated content of the purchase form. */
export interface PurchaseDraft {
  readonly merchant: string;
  readonly network: string;
  readonly amount: string;
}

export type PurchaseProblems = Partial<Record<keyof PurchaseDraft, string>>;

const DEFAULT_NETWORK = "base";
const MAX_MERCHANT_LENGTH = 2_048;

/** Returns the payment described by a query string. The default network is that of the contract. */
export function readPurchase(search: string): PurchaseDraft {
  const params = new URLSearchParams(search);
  return {
    merchant: withScheme(params.get("merchant")?.trim() ?? ""),
    network: params.get("network")?.trim() || DEFAULT_NETWORK,
    amount: params.get("amount")?.trim() ?? "",
  };
}

export function toPurchaseQuery(draft: PurchaseDraft): string {
  const params = Object.entries(draft).filter(([, value]) => value !== "");
  return `${new URLSearchParams(params)}`;
}

/** Adds the missing scheme to a merchant URL: http for loopback hosts, otherwise https. */
export function withScheme(merchant: string): string {
  if (merchant === "" || merchant.includes("://")) return merchant;
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?]|$)/i.test(merchant);
  return `${isLoopback ? "http" : "https"}://${merchant}`;
}

/** Returns the problems of merchant and network. Both are required for a decision. */
export function findPurchaseProblems(
  { merchant, network }: PurchaseDraft,
  networks: readonly string[],
): PurchaseProblems {
  const merchantProblem = findMerchantProblem(merchant);
  return {
    ...(merchantProblem && { merchant: merchantProblem }),
    ...(!networks.includes(network) && {
      network: network === "" ? "Choose a network." : `“${network}” is not supported here. Choose another network.`,
    }),
  };
}

function findMerchantProblem(merchant: string): string | null {
  if (merchant === "") return "The link names no merchant. Enter the URL to pay.";
  const url = URL.parse(merchant);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || /\s/.test(merchant) || merchant.length > MAX_MERCHANT_LENGTH) {
    return "Enter a URL such as https://merchant.example/report.";
  }
  if (url.username || url.password) return "The URL must not contain a user name or password.";
  if (merchant.includes("#")) return "The URL must not contain a fragment (#).";
  return null;
}

export function findAmountProblem(amount: string): string | null {
  if (amount === "") return "Enter a maximum amount.";
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(amount)) return "Enter an amount such as 0.25 or 5.";
  return Number(amount) === 0 ? "Enter an amount above zero." : null;
}
