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
  TakeBackPurchaseTokenDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Payments that were allowed one by one. */
export function PurchaseTokens() {
  const list = usePagedList(PurchaseTokensDocument, {}, ({ viewer }) => viewer?.purchaseTokens, { size: 10 });
  return (
    <Section
      title="Purchase tokens"
      hint="Each pays once, one merchant, within five minutes."
      aside={
        <Link href={PATHS.buy} className={buttonClass("plain", "small")}>
          Allow one payment
        </Link>
      }
    >
      <ListOf
        list={list}
        awaited={{ count: 3 }}
        empty="No purchase token was made yet. An agent’s link asks you for one."
      >
        {(tokens) => (
          <Table caption="Purchase tokens" columns={["Merchant", "At most", "State", "Made"]}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}

type Token = NonNullable<PurchaseTokensQuery["viewer"]>["purchaseTokens"]["edges"][number]["node"];

const STATES = {
  UNUSED: { tone: "caution", text: "Not used yet" },
  CONSUMED: { tone: "good", text: "Used" },
  EXPIRED: { tone: "muted", text: "Expired, nothing paid" },
  REVOKED: { tone: "muted", text: "Revoked, nothing paid" },
} as const;

function TokenRow({ token }: { readonly token: Token }) {
  const revoke = useOperation(TakeBackPurchaseTokenDocument);
  const { tone, text } = STATES[token.state];
  return (
    <Row>
      <Cell className="max-md:block">
        <span className="font-mono text-small break-all">{token.merchantUrl}</span>
        <span className="block text-small text-muted">{token.network}</span>
      </Cell>
      <Cell label="At most">
        <Money amount={token.maxAmountUsd} />
      </Cell>
      <Cell label="State">
        <div className="max-md:text-right">
          <Badge tone={tone}>{text}</Badge>
          {token.transaction && (
            <span className="block text-small text-muted">
              <Money amount={token.transaction.amountUsd} />{" "}
              {token.transaction.status === "settled" ? "paid" : "on its way"}
            </span>
          )}
          {token.state === "UNUSED" && (
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
      <Cell label="Made">
        <Time at={token.createdAt} />
      </Cell>
    </Row>
  );
}
