import { formatExact } from "./exact.ts";

const SIZES = { body: "", lead: "text-lead font-semibold", display: "text-display font-semibold" };

/** An exact amount: every digit that matters, the currency always beside it. */
export function Money({
  amount,
  currency = "USD",
  places = 2,
  size = "body",
  className = "",
}: {
  /** An exact decimal. */
  readonly amount: string;
  readonly currency?: string;
  /** Decimal places that are always shown. */
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
