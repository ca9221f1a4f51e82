import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Money } from "../../components/money.tsx";
import type { FundQuery } from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { SendDialog, type Transfer } from "./send-dialog.tsx";
import { Sent, type SentTransfer } from "./sent.tsx";

type Balances = NonNullable<FundQuery["viewer"]>["wallet"]["balances"];

const AMOUNT = /^\d{1,10}(?:\.\d{1,6})?$/;

/** Form to send USDC from the wallet. The transfer is made only after confirmation in the dialog. */
export function Send({
  account,
  balances,
  network,
  onNetwork,
  onBalancesChanged,
}: {
  readonly account: NonNullable<FundQuery["viewer"]>["account"] | undefined;
  readonly balances: Balances | undefined;
  readonly network: string | undefined;
  readonly onNetwork: (network: string) => void;
  /** Called when balances may have changed. */
  readonly onBalancesChanged: () => void;
}) {
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("");
  const [problems, setProblems] = useState<{ readonly to?: string; readonly amount?: string }>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [transfer, setTransfer] = useState<Transfer | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const [sent, setSent] = useState<SentTransfer | null>(null);
  const balance = balances?.find((candidate) => candidate.network === network);

  function review(event: FormEvent) {
    event.preventDefault();
    const input = { network: network ?? "", to: to.trim(), amount: amount.trim() };
    const found = {
      ...(input.to ? {} : { to: "Enter the address of the recipient." }),
      ...(AMOUNT.test(input.amount) ? {} : { amount: "Enter an amount such as 5 or 0.25." }),
    };
    setProblems(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    // Identical input reuses the idempotency key until it succeeds. A retry after a lost response does not send twice.
    const isSame =
      transfer && (["network", "to", "amount"] as const).every((field) => transfer[field] === input[field]);
    setTransfer(isSame ? transfer : { ...input, idempotencyKey: crypto.randomUUID() });
    setIsConfirming(true);
  }

  if (sent) {
    return (
      <Sent
        first={sent}
        onBalancesChanged={onBalancesChanged}
        onAgain={() => {
          setSent(null);
          setTransfer(null);
          setTo("");
          setAmount("");
        }}
      />
    );
  }
  return (
    <>
      <form onSubmit={review} noValidate className="mt-6 grid max-w-xl gap-5">
        <SelectField
          label="Network"
          value={network ?? ""}
          onChange={({ currentTarget }) => onNetwork(currentTarget.value)}
          disabled={!balances}
          error={failureAt(failure, "network")}
          hint={
            balance?.usdc ? (
              <>
                Balance: <Money amount={balance.usdc.amount} currency={balance.usdc.symbol} />
              </>
            ) : (
              balance && "Network unavailable."
            )
          }
        >
          {balances?.map(({ network: name }) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField
          label="Recipient address"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          hint={`An address on ${network ?? "this network"}.`}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={problems.to ?? failureAt(failure, "to")}
        />
        <TextField
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          unit="USDC"
          className="figures"
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          error={problems.amount ?? failureAt(failure, "amount")}
        />
        <Button type="submit" look="primary" className="sm:justify-self-start" disabled={!balances}>
          Continue
        </Button>
      </form>
      {isConfirming && transfer && account && (
        <SendDialog
          account={account}
          transfer={transfer}
          onClose={() => setIsConfirming(false)}
          onRejected={(rejection) => {
            setFailure(rejection);
            setIsConfirming(false);
          }}
          onSent={(transaction) => {
            setIsConfirming(false);
            setSent(transaction);
            onBalancesChanged();
          }}
        />
      )}
    </>
  );
}
