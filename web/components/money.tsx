import { formatExact } from "./decimal.ts";

const SIZES = { body: "", lead: "text-lead font-semibold", display: "text-display font-semibold" };

/** Exact amount with its currency, without rounding. */
export function Money({
  amount,
  currency = "USD",
  places = 2,
  size = "body",
  className = "",
}: {
  /** Exact decimal. */
  readonly amount: string;
  readonly currency?: string;
  /** Minimum number of decimal places. */
  readonly places?: number;
  readonly size?: keyof typeof SIZES;
  readonly className?: string;
}) {
  return (
    <span className={`figures whitespace-nowrap ${SIZES[size]} ${className}`}>
      {formatExact(amount, places)}
      <span className={size === "display" ? "text-lead font-normal text-muted" : "text-muted"}>{` ${currency}`}</span>
    </span>
  );
}
