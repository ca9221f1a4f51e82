/** What a link to the approval page asks for (spec section 4.1): `?merchant=…&network=…&amount=…`. */

/** As a form holds it: nothing of it is known to be right. */
export interface PurchaseDraft {
  readonly merchant: string;
  readonly network: string;
  readonly amount: string;
}

export type PurchaseProblems = Partial<Record<keyof PurchaseDraft, string>>;

const DEFAULT_NETWORK = "base";
const MAX_MERCHANT_LENGTH = 2_048;

/** What an address asks for; an absent network is the contract's default. */
export function readPurchase(search: string): PurchaseDraft {
  const given = new URLSearchParams(search);
  return {
    merchant: withScheme(given.get("merchant")?.trim() ?? ""),
    network: given.get("network")?.trim() || DEFAULT_NETWORK,
    amount: given.get("amount")?.trim() ?? "",
  };
}

export function searchOf(draft: PurchaseDraft): string {
  const given = Object.entries(draft).filter(([, value]) => value !== "");
  return `${new URLSearchParams(given)}`;
}

/** A merchant may be named without its scheme: https then, and http on this very machine. */
export function withScheme(merchant: string): string {
  if (merchant === "" || merchant.includes("://")) return merchant;
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?]|$)/i.test(merchant);
  return `${isLoopback ? "http" : "https"}://${merchant}`;
}

/** What is wrong with the merchant and the network, without which there is nothing to decide. */
export function problemsOf({ merchant, network }: PurchaseDraft, networks: readonly string[]): PurchaseProblems {
  const merchantProblem = problemOfMerchant(merchant);
  return {
    ...(merchantProblem && { merchant: merchantProblem }),
    ...(!networks.includes(network) && {
      network:
        network === "" ? "Choose a network." : `Satchel does not pay on “${network}” here. Choose another network.`,
    }),
  };
}

function problemOfMerchant(merchant: string): string | null {
  if (merchant === "") return "Which address is to be paid? The link did not say.";
  const url = URL.parse(merchant);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || /\s/.test(merchant) || merchant.length > MAX_MERCHANT_LENGTH) {
    return "This is not a web address. It should look like https://shop.example/report.";
  }
  if (url.username || url.password) return "The address may not carry a user name or password.";
  if (merchant.includes("#")) return "The address may not have a fragment (#).";
  return null;
}

export function problemOfAmount(amount: string): string | null {
  if (amount === "") return "Say how much at most.";
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(amount)) return "Write an amount such as 0.25 or 5.";
  return Number(amount) === 0 ? "An amount above zero, please: nothing can be paid with 0." : null;
}
