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

/** USDC from the wallet to an address. Nothing is sent from here: what goes where is repeated first. */
export function Send({
  account,
  balances,
  network,
  onNetwork,
  onMoved,
}: {
  readonly account: NonNullable<FundQuery["viewer"]>["account"] | undefined;
  readonly balances: Balances | undefined;
  readonly network: string | undefined;
  readonly onNetwork: (network: string) => void;
  /** Balances may have changed. */
  readonly onMoved: () => void;
}) {
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("");
  const [problems, setProblems] = useState<{ readonly to?: string; readonly amount?: string }>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [transfer, setTransfer] = useState<Transfer | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [sent, setSent] = useState<SentTransfer | null>(null);
  const balance = balances?.find((one) => one.network === network);

  function review(event: FormEvent) {
    event.preventDefault();
    const wish = { network: network ?? "", to: to.trim(), amount: amount.trim() };
    const found = {
      ...(wish.to ? {} : { to: "Paste the recipient’s address." }),
      ...(AMOUNT.test(wish.amount) ? {} : { amount: "Write an amount such as 5 or 0.25." }),
    };
    setProblems(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    // The same wish keeps its key until it is done: asked for again after a lost answer, it is not sent twice.
    const isSame = transfer && (["network", "to", "amount"] as const).every((field) => transfer[field] === wish[field]);
    setTransfer(isSame ? transfer : { ...wish, idempotencyKey: crypto.randomUUID() });
    setIsAsking(true);
  }

  if (sent) {
    return (
      <Sent
        first={sent}
        onMoved={onMoved}
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
                Your wallet holds <Money amount={balance.usdc.amount} currency={balance.usdc.symbol} /> there.
              </>
            ) : (
              balance && "Its nodes do not answer right now."
            )
          }
        >
          {balances?.map(({ network: name }) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField
          label="Recipient’s address"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          hint={`It must be one on ${network ?? "this network"}.`}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={problems.to ?? failureAt(failure, "to")}
        />
        <TextField
          label="How much"
          inputMode="decimal"
          autoComplete="off"
          unit="USDC"
          className="figures"
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          error={problems.amount ?? failureAt(failure, "amount")}
        />
        <Button type="submit" look="primary" className="sm:justify-self-start" disabled={!balances}>
          Go on
        </Button>
      </form>
      {isAsking && transfer && account && (
        <SendDialog
          account={account}
          transfer={transfer}
          onClose={() => setIsAsking(false)}
          onRefused={(refusal) => {
            setFailure(refusal);
            setIsAsking(false);
          }}
          onSent={(done) => {
            setIsAsking(false);
            setSent(done);
            onMoved();
          }}
        />
      )}
    </>
  );
}
