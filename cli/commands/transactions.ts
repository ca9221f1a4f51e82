import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { callJson } from "../http.ts";
import { shortened, table } from "../output.ts";
import { coinOf, wholeNumber } from "../values.ts";

interface Transaction {
  readonly type: string;
  readonly status: string;
  readonly direction: "in" | "out";
  readonly amount: string;
  readonly asset: string | null;
  readonly network: string | null;
  readonly resource: string | null;
  readonly payTo: string | null;
  readonly createdAt: string;
}

interface Page {
  readonly transactions: readonly Transaction[];
  readonly nextCursor: string | null;
}

export async function transactions({ baseUrl, values, output }: CommandContext): Promise<void> {
  const limit = wholeNumber(values["limit"], "--limit", 1, 100);
  const { accessToken } = await currentCredentials(baseUrl);
  const { type, status, network, cursor } = values as Record<string, string | undefined>;
  const query = { limit: limit?.toString(), type, status, network, cursor };
  const page = await callJson<Page>(baseUrl, accessToken, { method: "GET", path: "/api/transactions", query });
  output.answer(page, () => {
    if (page.transactions.length === 0) return ["There are no transactions."];
    const rows = page.transactions.map((row) => [
      row.createdAt.slice(0, 19).replace("T", " "),
      row.type,
      row.status,
      `${row.direction === "out" ? "-" : "+"}${row.amount}`,
      unitOf(row),
      row.network ?? "",
      row.resource ?? (row.payTo === null ? "" : `to ${shortened(row.payTo)}`),
    ]);
    return table(
      [
        { title: "Time (UTC)" },
        { title: "Type" },
        { title: "Status" },
        { title: "Amount", align: "right" },
        { title: "" },
        { title: "Network" },
        { title: "For" },
      ],
      rows,
    );
  });
  if (page.nextCursor !== null) output.note(`\nThere are more: --cursor ${page.nextCursor}`);
}

/** Credit is in dollars, and X402 pays in USDC; of other tokens the ledger knows the contract. */
function unitOf({ asset, type, network }: Transaction): string {
  if (asset === null) return "USD";
  if (asset === "native") return coinOf(network ?? "");
  return type === "x402" || type === "gateway" ? "USDC" : shortened(asset);
}
