import type { ComponentProps } from "react";
import { decimalOf, placesOf } from "./minor.ts";
import { Money } from "./money.tsx";

/** An amount of a shop, in minor units of its currency, with all of the currency's digits. */
export function Price({
  amountMinor,
  currency,
  ...look
}: { readonly amountMinor: number; readonly currency: string } & Pick<
  ComponentProps<typeof Money>,
  "size" | "className"
>) {
  return <Money amount={decimalOf(amountMinor, currency)} currency={currency} places={placesOf(currency)} {...look} />;
}
