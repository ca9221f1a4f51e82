import { useQuery } from "urql";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Badge } from "../../components/badge.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import {
  PurchaseTokensDocument,
  type PurchaseTokensQuery,
  TakeBackPurchaseTokenDocument,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";

const PAGE_SIZE = 10;

/** Payments that were allowed one by one. */
export function PurchaseTokens() {
  const pages = usePages();
  const [{ data, error }, refresh] = useQuery({
    query: PurchaseTokensDocument,
    variables: { first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const connection = data?.viewer?.purchaseTokens;
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  const tokens = connection?.edges.map(({ node }) => node);
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
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!tokens && !failure && <SkeletonRows count={3} />}
      {tokens?.length === 0 && <Empty>No purchase token was made yet. An agent’s link asks you for one.</Empty>}
      {tokens && tokens.length > 0 && (
        <Table caption="Purchase tokens" columns={["Merchant", "At most", "State", "Made"]}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Table>
      )}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
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
