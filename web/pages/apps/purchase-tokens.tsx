import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Badge } from "../../components/badge.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import {
  PurchaseTokensDocument,
  type PurchaseTokensQuery,
  RevokeUnusedPurchaseTokenDocument,
} from "../../generated/graphql.ts";
import type { NodeOf } from "../../graphql/nodes.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** One-time purchase tokens of the account. */
export function PurchaseTokens() {
  const list = usePagedList(PurchaseTokensDocument, {}, ({ viewer }) => viewer?.purchaseTokens, { size: 10 });
  return (
    <Section
      title="Purchase tokens"
      hint="Each token allows one payment to one merchant within five minutes."
      aside={
        <Link href={PATHS.buy} className={buttonClass("plain", "small")}>
          Create purchase token
        </Link>
      }
    >
      <ListOf
        list={list}
        awaited={{ count: 3 }}
        empty="No purchase tokens yet. Approve a payment link from your agent to create one."
      >
        {(tokens) => (
          <Table caption="Purchase tokens" columns={["Merchant", "Up to", "Status", "Created"]}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}

type Token = NodeOf<NonNullable<PurchaseTokensQuery["viewer"]>["purchaseTokens"]>;

const STATES = {
  UNUSED: { tone: "caution", text: "Unused" },
  CONSUMED: { tone: "good", text: "Used" },
  EXPIRED: { tone: "muted", text: "Expired, not charged" },
  REVOKED: { tone: "muted", text: "Revoked, not charged" },
} as const;

function TokenRow({ token }: { readonly token: Token }) {
  const revoke = useOperation(RevokeUnusedPurchaseTokenDocument);
  const { tone, text } = STATES[token.status];
  return (
    <Row>
      <Cell className="max-md:block">
        <span className="font-mono text-small break-all">{token.merchantUrl}</span>
        <span className="block text-small text-muted">{token.network}</span>
      </Cell>
      <Cell label="Up to">
        <Money amount={token.maxAmountUsd} />
      </Cell>
      <Cell label="Status">
        <div className="max-md:text-right">
          <Badge tone={tone}>{text}</Badge>
          {token.transaction && (
            <span className="block text-small text-muted">
              <Money amount={token.transaction.amountUsd} />{" "}
              {token.transaction.status === "SETTLED" ? "paid" : "pending"}
            </span>
          )}
          {token.status === "UNUSED" && (
            <span className="block">
              <Button
                size="small"
                look="danger"
                isBusy={revoke.isRunning}
                onClick={() => void revoke.run({ id: token.id })}
              >
                Revoke
              </Button>
            </span>
          )}
          <FailureNotice failure={revoke.failure} />
        </div>
      </Cell>
      <Cell label="Created">
        <Time at={token.createdAt} />
      </Cell>
    </Row>
  );
}
