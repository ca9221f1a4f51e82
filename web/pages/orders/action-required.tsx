import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Section } from "../../components/section.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { Countdown } from "../buy/countdown.tsx";
import { Amount } from "./amount.tsx";
import { merchantName, orderTitle, questionTitle } from "./order-labels.ts";
import { orderPath } from "./order-path.ts";
import { useOrdersRequiringAction } from "./use-orders-requiring-action.ts";

/** Orders that need the account owner: approvals and actions in checkouts. */
export function ActionRequired() {
  const { orders, again } = useOrdersRequiringAction();
  if (orders.length === 0) return null;
  return (
    <Section title="Action required">
      <Table caption="Orders that require action, newest first" columns={["Order", "Amount", "Time left", ""]}>
        {orders.map((order) => (
          <Entry key={order.id} order={order} onExpired={again} />
        ))}
      </Table>
    </Section>
  );
}

function Entry({ order, onExpired }: { readonly order: OrderRowFragment; readonly onExpired: () => void }) {
  const { orderId, question, approval } = order;
  const until = question ? question.expiresAt : approval?.expiresAt;
  const [path, name] =
    !question && approval
      ? [PATHS.approve.replace(":approvalId", approval.approvalId), "Review"]
      : [orderPath(orderId), "Open"];
  return (
    <Row>
      <Cell>
        <bdi className="font-medium wrap-anywhere">{orderTitle(order)}</bdi> at{" "}
        <bdi className="wrap-anywhere">{merchantName(order)}</bdi>
        <span className="block text-small text-muted">
          {question ? (
            questionTitle(question)
          ) : (
            <>
              <bdi className="wrap-anywhere">{approval?.askedBy ?? "An agent"}</bdi> requests this purchase.{" "}
              {approval?.reasonText}
            </>
          )}
        </span>
      </Cell>
      <Cell label="Amount">
        <Amount order={order} size="body" />
      </Cell>
      <Cell {...(until ? { label: "Time left" } : {})}>
        {until && <Countdown until={until} onExpired={onExpired} />}
      </Cell>
      <Cell className="max-md:pt-1">
        <Link
          href={path}
          aria-label={`${name}: ${orderTitle(order)}`}
          className={`${buttonClass("primary", "small")} whitespace-nowrap`}
        >
          {name}
        </Link>
      </Cell>
    </Row>
  );
}
