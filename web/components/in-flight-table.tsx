import type { InFlightKind, InFlightOutlook, InFlightRowFragment } from "../generated/graphql.ts";
import { Cell, Row, Table } from "./list.tsx";
import { Money } from "./money.tsx";
import { Empty } from "./notice.tsx";
import { Time } from "./time.tsx";

const KINDS: Readonly<Record<InFlightKind, string>> = {
  PAYMENT: "Payment",
  TRANSFER: "Withdrawal",
  TRADE: "Trade",
  ORDER: "Order",
  EMAIL: "Email",
};

const OUTLOOKS: Readonly<Record<InFlightOutlook, string>> = {
  MAY_SETTLE: "The seller can still settle it",
  MAY_DRAW: "The seller can still draw up to the amount; the permit is revoked",
  COST_IS_CHARGED: "The actual cost is charged when the call ends",
  MAY_BE_MINED: "The network can still mine it",
  EXPIRES_UNSENT: "Not sent again; released after it expires",
  NEVER_SIGNED: "Not signed; the amount is released",
  MAY_BE_CHARGED: "The merchant can still charge the card",
  ENDS_UNCHARGED: "Ends without a charge",
  MAY_BE_DELIVERED: "Can still be delivered",
  WAITS: "Waits until the freeze ends",
};

/** Text for an operation without an amount in US dollars. */
const NO_USD: Readonly<Record<InFlightKind, string>> = {
  PAYMENT: "Unknown",
  TRANSFER: "Unknown",
  TRADE: "Unknown",
  ORDER: "In the merchant's currency",
  EMAIL: "None",
};

/** Operations in flight, with what can still happen to each. */
export function InFlightTable({ operations }: { readonly operations: readonly InFlightRowFragment[] }) {
  if (operations.length === 0) {
    return <Empty>Nothing is in flight. Payments, trades, orders and email that have not ended appear here.</Empty>;
  }
  return (
    <Table caption="Operations in flight" columns={["Operation", "With", "Amount", "What can still happen", "Until"]}>
      {operations.map(({ kind, operationId, counterparty, amountUsd, outlook, until }) => (
        <Row key={operationId}>
          <Cell className="font-medium">{KINDS[kind]}</Cell>
          <Cell label="With" className="break-all">
            {counterparty ?? "Unknown"}
          </Cell>
          <Cell label="Amount">{amountUsd === null ? NO_USD[kind] : <Money amount={amountUsd} />}</Cell>
          <Cell label="What can still happen">{OUTLOOKS[outlook]}</Cell>
          <Cell label="Until">{until === null ? "No limit" : <Time at={until} />}</Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Operations in flight in the width of a dialog. */
export function InFlightList({ operations }: { readonly operations: readonly InFlightRowFragment[] }) {
  if (operations.length === 0) return <p className="mt-2 text-small text-muted">Nothing is in flight.</p>;
  return (
    <ul className="mt-2 grid gap-2 text-small">
      {operations.map(({ kind, operationId, counterparty, amountUsd, outlook, until }) => (
        <li key={operationId} className="wrap-anywhere">
          {KINDS[kind]} {counterparty && `with ${counterparty} `}
          {amountUsd !== null && <Money amount={amountUsd} />}
          <span className="block text-muted">
            {OUTLOOKS[outlook]}
            {until !== null && (
              <>
                {", until "}
                <Time at={until} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
