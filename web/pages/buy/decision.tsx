import { useRef, useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { sayWhoIsSignedIn } from "../../app/sign-in-link.ts";
import { useSameAccount } from "../../app/use-same-account.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { formatExact } from "../../components/exact.ts";
import { UsdField } from "../../components/field.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { useToast } from "../../components/toasts.tsx";
import { X402Off } from "../../components/x402-off.tsx";
import { type BuyQuery, CreatePurchaseTokenDocument, PayPurchaseTokenDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import type { Created, Paid } from "./outcome.ts";
import { type PurchaseDraft, problemOfAmount } from "./read-purchase.ts";

/** Answers after which surely nothing was paid: pressed again, it is tried anew. After any other it stays the same payment. */
const REFUSALS: readonly string[] = [
  "insufficient_balance",
  "invalid_request",
  "max_value_exceeded",
  "no_acceptable_requirement",
  "spending_limit_exceeded",
  "unsupported_network",
  "url_not_allowed",
  "x402_not_enabled",
];

/** Who is paid, where, how much at most; and two ways to go on. */
export function Decision({
  draft,
  account,
  creditUsd,
  onAskAgain,
  onEdit,
  onPaid,
  onCreated,
}: {
  readonly draft: PurchaseDraft;
  readonly account: NonNullable<BuyQuery["viewer"]>["account"];
  readonly creditUsd: string;
  readonly onAskAgain: () => void;
  readonly onEdit: () => void;
  readonly onPaid: (paid: Paid) => void;
  readonly onCreated: (created: Created) => void;
}) {
  useSameAccount(account.id, onAskAgain, sayWhoIsSignedIn);
  const [amount, setAmount] = useState(draft.amount);
  const [problem, setProblem] = useState<string | null>(null);
  const pay = useOperation(PayPurchaseTokenDocument);
  const create = useOperation(CreatePurchaseTokenDocument);
  const toast = useToast();
  // The same decision pressed again, after a lost answer, is the same payment.
  const attempt = useRef({ amount: "", key: "" });
  const failure = pay.failure ?? create.failure;
  const amountError = problem ?? failureAt(failure, "maxAmountUsd");
  const isBusy = pay.isRunning || create.isRunning;

  function asked() {
    const written = amount.trim();
    const found = problemOfAmount(written);
    setProblem(found);
    pay.clear();
    create.clear();
    return found ? null : { merchantUrl: draft.merchant, network: draft.network, maxAmountUsd: written };
  }
  async function payNow() {
    const input = asked();
    if (!input) return;
    if (attempt.current.amount !== input.maxAmountUsd) {
      attempt.current = { amount: input.maxAmountUsd, key: crypto.randomUUID() };
    }
    const { value, error } = await pay.run({ input: { ...input, idempotencyKey: attempt.current.key } });
    if (value) onPaid(value);
    if (error && REFUSALS.includes(error.code)) attempt.current = { amount: "", key: "" };
    if (error && "requiredUsd" in error && Number(error.requiredUsd) > Number(input.maxAmountUsd)) {
      const [asked, allowed] = [error.requiredUsd, input.maxAmountUsd].map((amount) => formatExact(amount));
      setProblem(`It asks ${asked} USD, more than the ${allowed} USD you allowed. No money moved.`);
    }
  }
  async function approve() {
    const input = asked();
    if (!input) return;
    const { value } = await create.run({ input });
    if (!value) return;
    // Not every browser lets a page copy so long after the press; the next page has a button for it.
    await navigator.clipboard.writeText(value.token).then(
      () => toast("Copied the token."),
      () => {},
    );
    onCreated(value);
  }

  return (
    <>
      <PageTitle>One payment</PageTitle>
      <div className="mt-5">
        <Facts>
          <Fact name="To">
            <strong className="font-semibold break-all">{URL.parse(draft.merchant)?.host}</strong>
          </Fact>
          <Fact name="Address">
            <span className="font-mono text-small break-all">{draft.merchant}</span>
          </Fact>
          <Fact name="Network">
            <Network name={draft.network} />
          </Fact>
        </Facts>
        <button type="button" onClick={onEdit} className="min-h-8 text-small text-leather underline underline-offset-3">
          Change these
        </button>
      </div>
      <div className="mt-3">
        <UsdField
          label="At most"
          className="figures text-lead font-semibold"
          hint={
            <>
              The charge may be lower, never higher.
              {Number(creditUsd) > 0 && (
                <>
                  {" "}
                  Your free credit of <Money amount={creditUsd} /> pays first.
                </>
              )}
            </>
          }
          error={amountError ?? undefined}
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      </div>
      <p className="mt-5 text-small text-muted wrap-anywhere">
        From {account.email ?? account.displayName ?? "your account"}.
      </p>
      <div className="mt-2 grid gap-3">
        {account.x402Enabled ? (
          <>
            <FailureNotice failure={amountError ? null : failure} />
            {failure && "paidTransactionId" in failure && typeof failure.paidTransactionId === "string" && (
              <LookItUp transactionId={failure.paidTransactionId} />
            )}
            <div className="grid grid-cols-2 gap-3">
              <Leave />
              <Button isBusy={isBusy} onClick={() => void payNow()}>
                {pay.isRunning ? "Paying…" : "Pay now"}
              </Button>
              <Button className="col-span-2" isBusy={isBusy} onClick={() => void approve()}>
                {create.isRunning ? "Approving…" : "Approve and copy token"}
              </Button>
            </div>
            <p className="text-small text-muted">
              Pay now calls the address once and pays what it asks. A token lets your agent do the same: one payment, to
              this address, within 5 minutes.
            </p>
          </>
        ) : (
          <>
            <X402Off consequence="nothing can be paid until you turn them on" />
            <Leave />
          </>
        )}
      </div>
    </>
  );
}

function Leave() {
  return (
    <Link href={PATHS.overview} className={buttonClass()}>
      Pay nothing
    </Link>
  );
}

function LookItUp({ transactionId }: { readonly transactionId: string }) {
  return (
    <p className="text-small">
      A payment was sent: <code className="font-mono break-all">{transactionId}</code>.{" "}
      <Link href={PATHS.overview} className="text-leather underline underline-offset-3">
        See what became of it
      </Link>
      .
    </p>
  );
}
