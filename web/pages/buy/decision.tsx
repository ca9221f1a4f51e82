import { useRef, useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { showSignedInAccount } from "../../app/sign-in-link.ts";
import { useAccountChange } from "../../app/use-account-change.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { formatExact } from "../../components/decimal.ts";
import { UsdField } from "../../components/field.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { useToast } from "../../components/toasts.tsx";
import { X402DisabledNotice } from "../../components/x402-disabled-notice.tsx";
import { type BuyQuery, CreatePurchaseTokenDocument, PayPurchaseTokenDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import type { Created, Paid } from "./outcome.ts";
import { findAmountProblem, type PurchaseDraft } from "./read-purchase.ts";

/**
 * Errors that exclude a payment. The next attempt after one gets a new idempotency key. After any other error the key
 * is reused to prevent a second payment.
 */
const UNPAID_ERRORS: readonly string[] = [
  "INSUFFICIENT_BALANCE",
  "INVALID_REQUEST",
  "MAX_VALUE_EXCEEDED",
  "NO_ACCEPTABLE_REQUIREMENT",
  "SPENDING_LIMIT_EXCEEDED",
  "UNSUPPORTED_NETWORK",
  "URL_NOT_ALLOWED",
  "X402_NOT_ENABLED",
];

/** Details of the payment with the actions to pay now or to create a token. */
export function Decision({
  draft,
  account,
  creditUsd,
  onRefresh,
  onEdit,
  onPaid,
  onCreated,
}: {
  readonly draft: PurchaseDraft;
  readonly account: NonNullable<BuyQuery["viewer"]>["account"];
  readonly creditUsd: string;
  readonly onRefresh: () => void;
  readonly onEdit: () => void;
  readonly onPaid: (paid: Paid) => void;
  readonly onCreated: (created: Created) => void;
}) {
  useAccountChange(account.id, onRefresh, showSignedInAccount);
  const [amount, setAmount] = useState(draft.amount);
  const [problem, setProblem] = useState<string | null>(null);
  const pay = useOperation(PayPurchaseTokenDocument);
  const create = useOperation(CreatePurchaseTokenDocument);
  const toast = useToast();
  // Reuses the key on retries: after a lost response, a retry is the same payment.
  const attempt = useRef({ amount: "", key: "" });
  const failure = pay.failure ?? create.failure;
  const amountError = problem ?? failureAt(failure, "maxAmountUsd");
  const isBusy = pay.isRunning || create.isRunning;

  function readInput() {
    const maxAmountUsd = amount.trim();
    const found = findAmountProblem(maxAmountUsd);
    setProblem(found);
    pay.clear();
    create.clear();
    return found ? null : { merchantUrl: draft.merchant, network: draft.network, maxAmountUsd };
  }
  async function payNow() {
    const input = readInput();
    if (!input) return;
    if (attempt.current.amount !== input.maxAmountUsd) {
      attempt.current = { amount: input.maxAmountUsd, key: crypto.randomUUID() };
    }
    const { value, error } = await pay.run({
      input: { purchaseToken: { terms: input }, idempotencyKey: attempt.current.key },
    });
    if (value) onPaid(value);
    if (error && UNPAID_ERRORS.includes(error.code)) attempt.current = { amount: "", key: "" };
    if (error && "requiredUsd" in error && Number(error.requiredUsd) > Number(input.maxAmountUsd)) {
      const [required, allowed] = [error.requiredUsd, input.maxAmountUsd].map((amount) => formatExact(amount));
      setProblem(`The merchant requires ${required} USD, you allowed up to ${allowed} USD. No payment was made.`);
    }
  }
  async function approve() {
    const input = readInput();
    if (!input) return;
    const { value } = await create.run({ input });
    if (!value) return;
    // Some browsers reject a clipboard write this long after the click. The next page has a copy button.
    await navigator.clipboard.writeText(value.token).then(
      () => toast("Token copied."),
      () => {},
    );
    onCreated(value);
  }

  return (
    <>
      <PageTitle>Approve payment</PageTitle>
      <div className="mt-5">
        <Facts>
          <Fact name="To">
            <strong className="font-semibold break-all">{URL.parse(draft.merchant)?.host}</strong>
          </Fact>
          <Fact name="URL">
            <span className="font-mono text-small break-all">{draft.merchant}</span>
          </Fact>
          <Fact name="Network">
            <Network name={draft.network} />
          </Fact>
        </Facts>
        <button type="button" onClick={onEdit} className="min-h-8 text-small text-leather underline underline-offset-3">
          Edit
        </button>
      </div>
      <div className="mt-3">
        <UsdField
          label="Maximum amount"
          className="figures text-lead font-semibold"
          hint={
            <>
              The charge cannot exceed this amount.
              {Number(creditUsd) > 0 && (
                <>
                  {" "}
                  Your free credit of <Money amount={creditUsd} /> is used first.
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
              <PaidTransaction transactionId={failure.paidTransactionId} />
            )}
            <div className="grid grid-cols-2 gap-3">
              <CancelLink />
              <Button isBusy={isBusy} onClick={() => void payNow()}>
                {pay.isRunning ? "Paying…" : "Pay now"}
              </Button>
              <Button className="col-span-2" isBusy={isBusy} onClick={() => void approve()}>
                {create.isRunning ? "Approving…" : "Approve and copy token"}
              </Button>
            </div>
            <p className="text-small text-muted">
              “Pay now” requests the URL once and pays the required amount. A token lets your agent make one payment to
              this URL within 5 minutes.
            </p>
          </>
        ) : (
          <>
            <X402DisabledNotice consequence="no payment is possible until you turn them on" />
            <CancelLink />
          </>
        )}
      </div>
    </>
  );
}

function CancelLink() {
  return (
    <Link href={PATHS.overview} className={buttonClass()}>
      Cancel
    </Link>
  );
}

function PaidTransaction({ transactionId }: { readonly transactionId: string }) {
  return (
    <p className="text-small">
      A payment was sent: <code className="font-mono break-all">{transactionId}</code>.{" "}
      <Link href={PATHS.overview} className="text-leather underline underline-offset-3">
        View transactions
      </Link>
    </p>
  );
}
