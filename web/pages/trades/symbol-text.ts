import { shortened } from "../../components/hash.tsx";

/** A token's symbol; that of an unknown contract may be its whole address, which is then shortened. */
export function symbolText({ symbol }: { readonly symbol: string }): string {
  return shortened(symbol);
}
