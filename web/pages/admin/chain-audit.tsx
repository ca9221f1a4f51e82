import { Badge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Network } from "../../components/network.tsx";
import { Notice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { ChainAuditDocument, type ChainDifferenceKind, ChainDifferencesDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";

const KINDS: Readonly<Record<ChainDifferenceKind, string>> = {
  UNRECORDED_TRANSFER: "Transfer without a transaction",
  AMOUNT: "Settled amount",
  BOUGHT: "Bought amount",
  BALANCE: "Balance and sum of transfers",
};

const SECTION_ID = "chain-audit";

const useNetworks = () => useReading({ query: ChainAuditDocument }, ({ chainAudit }) => chainAudit ?? undefined);

/** Notice at the top of the page while the chain and the ledger differ. */
export function ChainAuditNotice() {
  const { shown: networks = [] } = useNetworks();
  const count = networks.reduce((sum, { openDifferenceCount }) => sum + openDifferenceCount, 0);
  if (count === 0) return null;
  return (
    <div role="alert" className="mt-6">
      <Notice tone="bad" title="The chain and the ledger differ">
        <p>
          <a href={`#${SECTION_ID}`} className="underline underline-offset-3">
            {count === 1 ? "1 open difference" : `${count} open differences`}
          </a>
        </p>
      </Notice>
    </div>
  );
}

/** Progress of the chain audit, and the differences that it found. */
export function ChainAudit() {
  const networks = useNetworks();
  const list = usePagedList(ChainDifferencesDocument, {}, ({ chainDifferences }) => chainDifferences);
  return (
    <div id={SECTION_ID}>
      <Section
        title="Chain audit"
        hint="Transfers of all wallets on chain, compared with the ledger. Amounts are in the smallest unit of the asset."
      >
        <ListOf
          list={networks}
          awaited={{ count: 2 }}
          empty="No network was audited yet. Networks appear here after the first run."
        >
          {(rows) => (
            <Table
              caption="Audited networks"
              columns={["Network", "Audited block", "Latest block", "Last run", "State"]}
            >
              {rows.map(({ network, auditedBlock, latestBlock, updatedAt, openDifferenceCount }) => (
                <Row key={network}>
                  <Cell className="font-medium">
                    <Network name={network} />
                  </Cell>
                  <Cell label="Audited block">{auditedBlock.toLocaleString()}</Cell>
                  <Cell label="Latest block">{latestBlock.toLocaleString()}</Cell>
                  <Cell label="Last run">
                    <Time at={updatedAt} />
                  </Cell>
                  <Cell label="State">
                    {openDifferenceCount === 0 ? (
                      <Badge tone="good">Agrees</Badge>
                    ) : (
                      <Badge tone="bad">{openDifferenceCount} open</Badge>
                    )}
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </ListOf>
        <div className="mt-6">
          <ListOf
            list={list}
            awaited={{ count: 2 }}
            empty="No differences. If the chain and the ledger differ, each difference appears here."
          >
            {(differences) => (
              <Table
                caption="Differences, newest first"
                columns={["Difference", "Wallet", "Chain", "Ledger", "Transaction", "State"]}
              >
                {differences.map((it) => (
                  <Row key={it.id}>
                    <Cell className="font-medium">
                      {KINDS[it.kind]}
                      <span className="block text-small text-muted">
                        <Network name={it.network} />
                      </span>
                    </Cell>
                    <Cell label="Wallet">
                      <Hash value={it.walletId} what="the wallet id" />
                    </Cell>
                    <Cell label="Chain" className="font-mono text-small">
                      {it.chainAtomic}
                    </Cell>
                    <Cell label="Ledger" className="font-mono text-small">
                      {it.ledgerAtomic}
                    </Cell>
                    <Cell label="Transaction">
                      {it.txHash === null ? (
                        "None"
                      ) : (
                        <Hash value={it.txHash} what="the transaction hash" explorerUrl={it.explorerUrl} />
                      )}
                    </Cell>
                    <Cell label="State">
                      {it.resolvedAt === null ? (
                        <Badge tone="bad">
                          Open since&nbsp;
                          <Time at={it.foundAt} />
                        </Badge>
                      ) : (
                        <Badge tone="muted">
                          Resolved&nbsp;
                          <Time at={it.resolvedAt} />
                        </Badge>
                      )}
                    </Cell>
                  </Row>
                ))}
              </Table>
            )}
          </ListOf>
        </div>
      </Section>
    </div>
  );
}
