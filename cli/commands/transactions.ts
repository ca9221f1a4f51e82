import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { callJson } from "../http.ts";
import { formatTable, shorten } from "../output.ts";
import { getNativeSymbol, parseWholeNumber } from "../values.ts";

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
  const limit = parseWholeNumber(values["limit"], "--limit", 1, 100);
  const accessToken = await getAccessToken(baseUrl);
  const { type, status, network, cursor } = values as Record<string, string | undefined>;
  const query = { limit: limit?.toString(), type, status, network, cursor };
  const page = await callJson<Page>(baseUrl, accessToken, { method: "GET", path: "/api/transactions", query });
  output.result(page, () => {
    if (page.transactions.length === 0) return ["No transactions."];
    const rows = page.transactions.map((row) => [
      row.createdAt.slice(0, 19).replace("T", " "),
      row.type,
      row.status,
      `${row.direction === "out" ? "-" : "+"}${row.amount}`,
      getUnit(row),
      row.network ?? "",
      row.resource ?? (row.payTo === null ? "" : `to ${shorten(row.payTo)}`),
    ]);
    return formatTable(
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
  if (page.nextCursor !== null) output.note(`\nNext page: --cursor ${page.nextCursor}`);
}

/** Returns the unit of an amount: USD, the native coin's symbol, USDC, or the abbreviated contract address. */
function getUnit({ asset, type, network }: Transaction): string {
  if (asset === null) return "USD";
  if (asset === "native") return getNativeSymbol(network ?? "");
  return type === "x402" || type === "gateway" ? "USDC" : shorten(asset);
}
