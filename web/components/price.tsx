import type { ComponentProps } from "react";
import { decimalPlaces, minorToDecimal } from "./minor-units.ts";
import { Money } from "./money.tsx";

/** Amount given in minor units, with all decimal places of its currency. */
export function Price({
  amountMinor,
  currency,
  __typename,
  ...look
}: { readonly __typename?: "Money"; readonly amountMinor: number; readonly currency: string } & Pick<
  ComponentProps<typeof Money>,
  "size" | "className"
>) {
  return (
    <Money
      amount={minorToDecimal(amountMinor, currency)}
      currency={currency}
      places={decimalPlaces(currency)}
      {...look}
    />
  );
}
