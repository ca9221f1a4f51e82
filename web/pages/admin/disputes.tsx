import { Cell, Row, Table } from "../../components/list.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { AgentDisputesDocument } from "../../generated/graphql.ts";

/** Disputes about agents with the administrators who opened and closed them. */
export function Disputes() {
  const list = usePagedList(AgentDisputesDocument, {}, ({ agentDisputes }) => agentDisputes, { size: 10 });
  return (
    <Section title="Disputes">
      <ListOf list={list} awaited={{ count: 2 }} empty="No disputes. Disputes about agents appear here.">
        {(disputes) => (
          <Table caption="Disputes, newest first" columns={["Dispute", "Agent", "Opened", "Closed"]}>
            {disputes.map((it) => (
              <Row key={it.disputeId}>
                <Cell className="wrap-anywhere">
                  {it.reason}
                  <span className="block font-mono text-small text-muted">{it.disputeId}</span>
                </Cell>
                <Cell label="Agent" className="font-mono text-small wrap-anywhere">
                  {it.agentRecordId}
                </Cell>
                <Cell label="Opened" className="wrap-anywhere">
                  <Time at={it.openedAt} /> by {it.openedBy ?? "unknown"}
                </Cell>
                <Cell label="Closed" className="wrap-anywhere">
                  {it.closedAt ? (
                    <>
                      {it.status.toLowerCase()} <Time at={it.closedAt} /> by {it.closedBy ?? "unknown"}
                    </>
                  ) : (
                    "Open"
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}
