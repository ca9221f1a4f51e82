import { Badge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { ListOf } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { TreasuryDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";

/** The treasury's address and balances on each network. */
export function Treasury() {
  const list = useReading({ query: TreasuryDocument }, ({ treasury }) => treasury?.networks ?? undefined);
  return (
    <Section title="Treasury" hint="Pays network fees, agent registrations and free credit.">
      <ListOf list={list} awaited={{ count: 2 }} empty="No network is configured. Configured networks appear here.">
        {(networks) => (
          <Table caption="Treasury by network" columns={["Network", "Address", "USDC", "Native coin", "State"]}>
            {networks.map(({ network, address, usdc, native, isLow }) => (
              <Row key={network}>
                <Cell className="font-medium">
                  <Network name={network} />
                </Cell>
                <Cell label="Address">{address ? <Hash value={address} what="the address" /> : "Unknown"}</Cell>
                <Cell label="USDC">{usdc ? <Money amount={usdc.amount} currency={usdc.symbol} /> : "Unknown"}</Cell>
                <Cell label="Native coin">
                  {native ? <Money amount={native.amount} currency={native.symbol} /> : "Unknown"}
                </Cell>
                <Cell label="State">
                  {isLow === null && <Badge tone="muted">Network unavailable</Badge>}
                  {isLow === false && <Badge tone="good">Sufficient</Badge>}
                  {isLow && <Badge tone="bad">Low</Badge>}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}
