import { useCallback } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { TransactionStatusBadge } from "../../components/badge.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import { ReceiptTransactionDocument, type TransactionRowFragment } from "../../generated/graphql.ts";
import type { Paid } from "./outcome.ts";
import { useRefreshed } from "./use-refreshed.ts";

/** What was paid, followed until it is settled, and what the merchant answered. */
export function Receipt({
  paid: { transaction, answer },
  merchantUrl,
  onAgain,
}: {
  readonly paid: Paid;
  readonly merchantUrl: string;
  readonly onAgain: () => void;
}) {
  const isRefusal = answer.status >= 400;
  return (
    <>
      <PageTitle>{transaction ? "Receipt" : "Nothing was paid"}</PageTitle>
      {transaction ? (
        <Payment first={transaction} merchantUrl={merchantUrl} />
      ) : (
        <p className="mt-2">
          {isRefusal
            ? "The merchant refused without asking for a payment. No money moved."
            : "The merchant answered without asking for a payment. No money moved."}
        </p>
      )}
      {transaction && isRefusal && (
        <div className="mt-5">
          <Notice tone="caution" title={`The merchant answered with an error (${answer.status})`}>
            The payment stands as it is shown here. Ask the merchant about what is missing.
          </Notice>
        </div>
      )}
      <Answer answer={answer} />
      <Actions>
        <Button onClick={onAgain}>Another payment</Button>
        <Link href={PATHS.overview} className={buttonClass("primary")}>
          See the ledger
        </Link>
      </Actions>
    </>
  );
}

const isOver = ({ status }: TransactionRowFragment) => status !== "reserved" && status !== "signed";

/** @param first as the payment stood when it was made */
export function Payment({
  first,
  merchantUrl,
}: {
  readonly first: TransactionRowFragment;
  readonly merchantUrl: string;
}) {
  const [{ data }, refresh] = useQuery({
    query: ReceiptTransactionDocument,
    variables: { id: first.id },
    pause: isOver(first),
    requestPolicy: "network-only",
  });
  const payment = data?.node?.__typename === "Transaction" ? data.node : first;
  useRefreshed(
    useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]),
    isOver(payment),
  );
  return (
    <>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-6" aria-live="polite">
        <Money amount={payment.amountUsd} size="display" />
        <TransactionStatusBadge status={payment.status} />
      </div>
      {payment.failureReason && <p className="text-small text-muted">{payment.failureReason}</p>}
      <div className="mt-4">
        <Facts>
          <Fact name="To">
            <span className="font-mono text-small break-all">{payment.resource ?? merchantUrl}</span>
          </Fact>
          {payment.network && (
            <Fact name="Network">
              <Network name={payment.network} />
            </Fact>
          )}
          <Fact name="Paid from">{payment.paidFromCredit ? "Free credit" : "Your wallet"}</Fact>
          <Fact name="When">
            <Time at={payment.createdAt} />
          </Fact>
          <Fact name="On the network">
            {payment.txHash ? (
              <Hash value={payment.txHash} what="the transaction's hash" explorerUrl={payment.explorerUrl ?? null} />
            ) : (
              <span className="text-muted">Not yet</span>
            )}
          </Fact>
          <Fact name="In the ledger">
            <Hash value={payment.transactionId} what="the payment's id" />
          </Fact>
        </Facts>
      </div>
    </>
  );
}

/** Whatever a merchant sends is text here, and nothing else. */
function Answer({ answer }: { readonly answer: Paid["answer"] }) {
  const { status, contentType, text, isTruncated } = answer;
  return (
    <Section title="The merchant's answer">
      <p className="mb-2 text-small text-muted">
        Status {status}
        {contentType && `, ${contentType}`}
        {isTruncated && ", the first 64 KiB of it"}
      </p>
      {text ? (
        <Verbatim label="The merchant's answer as text" text={text} isWrapped />
      ) : (
        <p>{text === "" ? "It is empty." : "It is not text, so it is not shown."}</p>
      )}
    </Section>
  );
}
