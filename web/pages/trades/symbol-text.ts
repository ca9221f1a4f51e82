import { shortened } from "../../components/hash.tsx";

/** Returns the symbol of a token. For an unknown contract the symbol can be its address, which is shortened. */
export function symbolText({ symbol }: { readonly symbol: string }): string {
  return shortened(symbol);
}
