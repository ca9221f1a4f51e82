import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Section } from "../../components/section.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { Countdown } from "../buy/countdown.tsx";
import { Amount } from "./amount.tsx";
import { orderPath } from "./order-path.ts";
import { NEEDS, shopOf, whatOf } from "./order-words.ts";
import { useWaiting } from "./use-waiting.ts";

/** Orders that wait for their person: purchases to decide about, and checkouts that ask for something. */
export function Waiting() {
  const { orders, again } = useWaiting();
  if (orders.length === 0) return null;
  return (
    <Section title="Waiting for you">
      <Table caption="Orders that wait for you, newest first" columns={["Order", "Amount", "Time left", ""]}>
        {orders.map((order) => (
          <Entry key={order.id} order={order} onOver={again} />
        ))}
      </Table>
    </Section>
  );
}

function Entry({ order, onOver }: { readonly order: OrderRowFragment; readonly onOver: () => void }) {
  const { orderId, personNeededFor, personNeededUntil, approval } = order;
  const until = personNeededFor === null ? approval?.expiresAt : personNeededUntil;
  const [path, name] =
    personNeededFor === null && approval
      ? [PATHS.approve.replace(":approvalId", approval.approvalId), "Look at it"]
      : [orderPath(orderId), "Go to it"];
  return (
    <Row>
      <Cell>
        <bdi className="font-medium wrap-anywhere">{whatOf(order)}</bdi> at{" "}
        <bdi className="wrap-anywhere">{shopOf(order)}</bdi>
        <span className="block text-small text-muted">
          {personNeededFor !== null ? (
            (NEEDS[personNeededFor]?.title ?? "The checkout needs you")
          ) : (
            <>
              <bdi className="wrap-anywhere">{approval?.askedBy ?? "Somebody"}</bdi> asks to buy it.{" "}
              {approval?.reasonText}
            </>
          )}
        </span>
      </Cell>
      <Cell label="Amount">
        <Amount order={order} size="body" />
      </Cell>
      <Cell {...(until ? { label: "Time left" } : {})}>{until && <Countdown until={until} onOver={onOver} />}</Cell>
      <Cell className="max-md:pt-1">
        <Link
          href={path}
          aria-label={`${name}: ${whatOf(order)}`}
          className={`${buttonClass("primary", "small")} whitespace-nowrap`}
        >
          {name}
        </Link>
      </Cell>
    </Row>
  );
}
