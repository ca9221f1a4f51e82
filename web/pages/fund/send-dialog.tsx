import { Button } from "../../components/button.tsx";
import { formatExact } from "../../components/decimal.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { type FundQuery, SendTokensDocument } from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";
import type { SentTransfer } from "./sent.tsx";

export interface Transfer {
  readonly network: string;
  readonly to: string;
  /** Amount in USDC, as an exact decimal. */
  readonly amount: string;
  readonly idempotencyKey: string;
}

const FIELDS = ["network", "to", "amount"];

/** Confirmation of a transfer. */
export function SendDialog({
  account,
  transfer,
  onClose,
  onRejected,
  onSent,
}: {
  readonly account: NonNullable<FundQuery["viewer"]>["account"];
  readonly transfer: Transfer;
  readonly onClose: () => void;
  /** Called if the service rejects a field of the form. */
  readonly onRejected: (failure: Failure) => void;
  readonly onSent: (sent: SentTransfer) => void;
}) {
  const send = useOperation(SendTokensDocument);
  const proof = useProof(account, "withdrawals require a recent sign-in");
  const { network, to, amount } = transfer;

  async function confirm() {
    const { value, error } = await send.run({ input: transfer });
    if (value) onSent(value.transaction);
    else if (needsProof(error)) proof.request(() => void confirm());
    else if (FIELDS.some((field) => failureAt(error, field))) onRejected(error);
  }

  if (proof.dialog) return proof.dialog;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title="Send USDC?"
      description="Transfers cannot be reversed. Compare the full address."
      onClose={onClose}
      mayDismiss={!send.isRunning}
    >
      <Facts>
        <Fact name="Amount">
          <Money amount={amount} currency="USDC" size="lead" />
        </Fact>
        <Fact name="To">
          <span className="font-mono break-all">{to}</span>
        </Fact>
        <Fact name="Network">
          <Network name={network} />
        </Fact>
      </Facts>
      <div className="mt-4">
        <FailureNotice failure={needsProof(send.failure) ? null : send.failure} />
      </div>
      <Actions>
        <Button onClick={onClose} disabled={send.isRunning}>
          Cancel
        </Button>
        <Button look="danger" isBusy={send.isRunning} onClick={() => void confirm()}>
          Send {formatExact(amount)} USDC
        </Button>
      </Actions>
    </Dialog>
  );
}
