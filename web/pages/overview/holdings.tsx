import { Badge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Section } from "../../components/section.tsx";
import { type HoldingRowFragment, HoldingsDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { symbolText } from "../trades/symbol-text.ts";

/** Tokens other than USDC and native coins, which the balances show. Absent without such tokens or without their network. */
export function Holdings({ networks, version }: { readonly networks: readonly string[]; readonly version: number }) {
  const query = { query: HoldingsDocument, pause: !networks.includes("base") };
  const { shown } = useReading(query, ({ viewer }) => viewer?.wallet?.balance?.holdings, version);
  const rows = (shown?.edges ?? []).flatMap((edge) =>
    edge && !edge.node.token.isNative && edge.node.balance.symbol !== "USDC" ? [edge.node] : [],
  );
  if (rows.length === 0) return null;
  return (
    <Section
      title="Tokens"
      hint="Tokens that you trade on Base. Tokens that others send to your wallet are not listed."
    >
      <Table caption="Tokens in the wallet" columns={["Token", "Balance", "Value"]}>
        {rows.map((row) => (
          <Holding key={row.token.address} row={row} />
        ))}
      </Table>
    </Section>
  );
}

function Holding({ row: { token, balance, valueUsd, isListed } }: { readonly row: HoldingRowFragment }) {
  return (
    <Row>
      <Cell>
        <span className="font-semibold">{symbolText(token)}</span>
        {isListed ? (
          <span className="block text-small text-muted">{token.name}</span>
        ) : (
          <span className="block text-small">
            <Badge tone="caution">Name not verified</Badge> <Hash value={token.address} what="the contract address" />
          </span>
        )}
      </Cell>
      <Cell label="Balance">
        <Money amount={balance.amount} currency={symbolText(balance)} />
      </Cell>
      <Cell label="Value">{valueUsd ? <Money amount={valueUsd} /> : <span className="text-muted">No price</span>}</Cell>
    </Row>
  );
}
