import { formatExact } from "./exact.ts";

const SIZES = { body: "", lead: "text-lead font-semibold", display: "text-display font-semibold" };

/** An exact amount: every digit that matters, the currency always beside it. */
export function Money({
  amount,
  currency = "USD",
  size = "body",
  className = "",
}: {
  /** An exact decimal. */
  readonly amount: string;
  readonly currency?: string;
  readonly size?: keyof typeof SIZES;
  readonly className?: string;
}) {
  return (
    <span className={`figures whitespace-nowrap ${SIZES[size]} ${className}`}>
      {formatExact(amount)}
      <span className={size === "display" ? "text-lead font-normal text-muted" : "text-muted"}>{` ${currency}`}</span>
    </span>
  );
}
