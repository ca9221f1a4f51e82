import { useEffect, useState } from "react";
import { addressDocument, type PostalAddress } from "../../components/postal-address.ts";
import { canonicalSha256 } from "../../graphql/sign-shown-document.ts";
import type { PurchaseDocument } from "./read-document.ts";

export type CheckedAddress =
  | { readonly state: "checking" | "nowhere" | "differs"; readonly address: null }
  | { readonly state: "same"; readonly address: PostalAddress };

/** Returns the full delivery address after checking that its digest is the signed one. */
export function useCheckedAddress(
  destination: PurchaseDocument["destination"] | undefined,
  given: PostalAddress | null,
): CheckedAddress {
  const sha256 = destination && "sha256" in destination ? destination.sha256 : null;
  const [checked, setChecked] = useState<{ readonly of: PostalAddress; readonly sha256: string } | null>(null);
  useEffect(() => {
    let isGone = false;
    if (given) {
      void canonicalSha256(addressDocument(given)).then((found) => isGone || setChecked({ of: given, sha256: found }));
    }
    return () => {
      isGone = true;
    };
  }, [given]);
  if (sha256 === null) return { state: "nowhere", address: null };
  if (!given) return { state: "differs", address: null };
  if (checked?.of !== given) return { state: "checking", address: null };
  return checked.sha256 === sha256 ? { state: "same", address: given } : { state: "differs", address: null };
}
