/** Upper bound of digits on either side of the decimal point; no amount needs more. */
const MAX_DIGITS = 60;

/**
 * Converts the text of a JSON number (RFC 8259) to an exact plain decimal: `"2.5e-1"` to `"0.25"`, `"1e-7"` to `"0.0000001"`,
 * `"5.000"` to `"5"`. Leading zeros are accepted. Returns null for any other text, and if the result needs more than 60 digits on
 * either side of the point.
 */
export function toPlainDecimal(text: string): string | null {
  const [, sign, whole, fraction = "", power = "0"] =
    /^(-?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > MAX_DIGITS) return null;
  const exponent = Number(power);
  if (Math.abs(exponent) > MAX_DIGITS) return null;
  const digits = `${"0".repeat(MAX_DIGITS)}${whole}${fraction}${"0".repeat(MAX_DIGITS)}`;
  const point = MAX_DIGITS + whole.length + exponent;
  const plainWhole = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  const plainFraction = digits.slice(point).replace(/0+$/, "");
  if (plainWhole.length > MAX_DIGITS || plainFraction.length > MAX_DIGITS) return null;
  return sign + (plainFraction === "" ? plainWhole : `${plainWhole}.${plainFraction}`);
}
