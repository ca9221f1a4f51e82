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

/** Receipt with live status until the payment settles, and the response of the merchant. */
export function Receipt({
  paid: { transaction, answer: response },
  merchantUrl,
  onAgain,
}: {
  readonly paid: Paid;
  readonly merchantUrl: string;
  readonly onAgain: () => void;
}) {
  const isErrorResponse = response.status >= 400;
  return (
    <>
      <PageTitle>{transaction ? "Receipt" : "No payment made"}</PageTitle>
      {transaction ? (
        <Payment first={transaction} merchantUrl={merchantUrl} />
      ) : (
        <p className="mt-2">
          {isErrorResponse
            ? "The merchant responded with an error and requested no payment. No payment was made."
            : "The merchant responded without requesting a payment. No payment was made."}
        </p>
      )}
      {transaction && isErrorResponse && (
        <div className="mt-5">
          <Notice tone="caution" title={`Error response from the merchant (${response.status})`}>
            The payment is not reversed. Contact the merchant.
          </Notice>
        </div>
      )}
      <MerchantResponse response={response} />
      <Actions>
        <Button onClick={onAgain}>New payment</Button>
        <Link href={PATHS.overview} className={buttonClass("primary")}>
          View transactions
        </Link>
      </Actions>
    </>
  );
}

const isFinal = ({ status }: TransactionRowFragment) => status !== "RESERVED" && status !== "SIGNED";

/** Payment with live status. @param first the payment at the time of the request */
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
    pause: isFinal(first),
    requestPolicy: "network-only",
  });
  const payment = data?.node?.__typename === "Transaction" ? data.node : first;
  useRefreshed(
    useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]),
    isFinal(payment),
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
          <Fact name="Date">
            <Time at={payment.createdAt} />
          </Fact>
          <Fact name="Transaction hash">
            {payment.txHash ? (
              <Hash value={payment.txHash} what="the transaction hash" explorerUrl={payment.explorerUrl ?? null} />
            ) : (
              <span className="text-muted">Pending</span>
            )}
          </Fact>
          <Fact name="Transaction ID">
            <Hash value={payment.transactionId} what="the transaction ID" />
          </Fact>
        </Facts>
      </div>
    </>
  );
}

/** Response body of the merchant, always rendered as plain text because it is untrusted. */
function MerchantResponse({ response }: { readonly response: Paid["answer"] }) {
  const { status, contentType, text, isTruncated } = response;
  return (
    <Section title="Merchant response">
      <p className="mb-2 text-small text-muted">
        Status {status}
        {contentType && `, ${contentType}`}
        {isTruncated && ", first 64 KiB"}
      </p>
      {text ? (
        <Verbatim label="Merchant response as text" text={text} isWrapped />
      ) : (
        <p>{text === "" ? "Empty response." : "Binary content is not shown."}</p>
      )}
    </Section>
  );
}
