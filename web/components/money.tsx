/** Exact amounts: every digit that matters, the currency always beside it. */

/** `"1234.500000"` is `1,234.50`: grouped, at least `minPlaces` places, and no digit lost. */
export function formatExact(decimal: string, minPlaces = 2): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const places = fraction.replace(/0+$/, "").padEnd(minPlaces, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${places && `.${places}`}`;
}

const SIZES = { body: "", lead: "text-lead font-semibold", display: "text-display font-semibold" };

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
