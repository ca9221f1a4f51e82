import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { type DeclinedPaymentRowFragment, DeclinedPaymentsDocument } from "../../generated/graphql.ts";
import { KINDS, PaidBy } from "./transaction-table.tsx";

const COLUMNS = ["Date", "Description", "Reason", "Amount"];
const PAGE_SIZE = 10;

/** Payments that were declined, newest first. */
export function DeclinedPayments({ version }: { readonly version: number }) {
  const page = { size: PAGE_SIZE, version };
  const list = usePagedList(DeclinedPaymentsDocument, {}, ({ viewer }) => viewer?.declinedPayments, page);
  return (
    <Section title="Declined payments" hint="No money was reserved or sent for these.">
      <ListOf
        list={list}
        awaited={{ count: 3, className: "h-16" }}
        empty="No declined payments. Requests that a limit, the balance or a token's rules refuse appear here."
      >
        {(rows) => (
          <div aria-busy={list.isStale}>
            <Table caption="Declined payments, newest first" columns={COLUMNS}>
              {rows.map((row) => (
                <DeclinedEntry key={row.id} row={row} />
              ))}
            </Table>
          </div>
        )}
      </ListOf>
    </Section>
  );
}

function DeclinedEntry({ row }: { readonly row: DeclinedPaymentRowFragment }) {
  const { type, resource, message, amountUsd, occurrences, requestedBy, createdAt } = row;
  const url = resource && URL.canParse(resource) ? new URL(resource) : null;
  return (
    <Row className="max-md:grid-cols-[minmax(0,1fr)_auto]">
      <Cell className="max-md:order-4 max-md:text-right max-md:text-small md:w-40">
        <Time at={createdAt} withDate />
      </Cell>
      <Cell className="max-md:order-1 md:max-w-72">
        <span className="block truncate font-medium" title={resource ?? undefined}>
          {url ? url.host + (url.pathname === "/" ? "" : url.pathname) : KINDS[type]}
        </span>
        {requestedBy && <PaidBy payer={requestedBy} />}
      </Cell>
      <Cell className="max-md:order-3 max-md:col-span-2 max-md:text-small">
        {message}
        {occurrences > 1 && (
          <span className="block text-small text-muted">and {occurrences - 1} further within the hour</span>
        )}
      </Cell>
      <Cell className="max-md:order-2 max-md:text-right">
        {amountUsd === null || amountUsd === undefined ? "–" : <Money amount={amountUsd} currency="USD" />}
      </Cell>
    </Row>
  );
}
