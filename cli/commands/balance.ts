import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { callJson } from "../http.ts";
import { formatPairs } from "../output.ts";
import { getNativeSymbol } from "../values.ts";

/** Response of `GET /api/balance` (spec section 2.4). */
interface Balance {
  readonly usdcBalance: string;
  readonly address: string;
  readonly hasWallet: boolean;
  readonly network: string;
  readonly creditUsd?: string;
  readonly nativeBalance?: string;
  /** Limits for orders by card, in minor units; null for no limit. Absent without a card budget. */
  readonly cardBudget?: {
    readonly currency: string;
    readonly perOrderLimitMinor: number | null;
    readonly dailyLimitMinor: number | null;
    readonly monthlyLimitMinor: number | null;
    readonly dayUsedMinor: number;
    readonly monthUsedMinor: number;
  };
}

export async function balance({ baseUrl, values, output }: CommandContext): Promise<void> {
  const accessToken = await getAccessToken(baseUrl);
  const query = { network: values["network"] as string | undefined };
  const result = await callJson<Balance>(baseUrl, accessToken, { method: "GET", path: "/api/balance", query });
  output.result(result, () =>
    formatPairs([
      ["USDC", `${result.usdcBalance} USDC`],
      ["Free credit", result.creditUsd === undefined ? null : `${result.creditUsd} USD`],
      [
        "Native token",
        result.nativeBalance === undefined ? null : `${result.nativeBalance} ${getNativeSymbol(result.network)}`,
      ],
      ["Network", result.network],
      ["Address", result.address],
      ...formatCardBudget(result.cardBudget),
    ]),
  );
}

function formatCardBudget(budget: Balance["cardBudget"]): [string, string][] {
  if (!budget) return [];
  const { currency, perOrderLimitMinor, dailyLimitMinor, monthlyLimitMinor } = budget;
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  const decimal = new Intl.NumberFormat("en", { minimumFractionDigits: digits, useGrouping: false });
  // A text with an exponent is formatted exactly.
  const format = (minor: number | null) =>
    minor === null ? "no limit" : `${decimal.format(`${minor}E-${digits}` as `${number}`)} ${currency}`;
  return [
    ["Card order", format(perOrderLimitMinor)],
    ["Card day", `${format(budget.dayUsedMinor)} of ${format(dailyLimitMinor)}`],
    ["Card month", `${format(budget.monthUsedMinor)} of ${format(monthlyLimitMinor)}`],
  ];
}
