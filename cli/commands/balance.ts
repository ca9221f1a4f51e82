import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { callJson } from "../http.ts";
import { pairs } from "../output.ts";
import { coinOf } from "../values.ts";

/** Spec section 2.4. */
interface Balance {
  readonly usdcBalance: string;
  readonly address: string;
  readonly hasWallet: boolean;
  readonly network: string;
  readonly creditUsd?: string;
  readonly nativeBalance?: string;
}

export async function balance({ baseUrl, values, output }: CommandContext): Promise<void> {
  const { accessToken } = await currentCredentials(baseUrl);
  const query = { network: values["network"] as string | undefined };
  const found = await callJson<Balance>(baseUrl, accessToken, { method: "GET", path: "/api/balance", query });
  output.answer(found, () =>
    pairs([
      ["USDC", `${found.usdcBalance} USDC`],
      ["Free credit", found.creditUsd === undefined ? null : `${found.creditUsd} USD`],
      ["Coin", found.nativeBalance === undefined ? null : `${found.nativeBalance} ${coinOf(found.network)}`],
      ["Network", found.network],
      ["Address", found.address],
    ]),
  );
}
