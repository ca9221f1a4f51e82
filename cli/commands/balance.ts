import { getCurrentCredentials } from "../access-token.ts";
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
}

export async function balance({ baseUrl, values, output }: CommandContext): Promise<void> {
  const { accessToken } = await getCurrentCredentials(baseUrl);
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
    ]),
  );
}
