import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { SelectField, TextField, UsdField } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { type PurchaseDraft, type PurchaseProblems, problemOfAmount, problemsOf, withScheme } from "./read-purchase.ts";

/** What to pay, written by hand: for a link that does not say, or says it wrongly. */
export function PurchaseForm({
  draft,
  networks,
  problems: given,
  onDone,
}: {
  readonly draft: PurchaseDraft;
  readonly networks: readonly string[];
  readonly problems: PurchaseProblems;
  readonly onDone: (draft: PurchaseDraft) => void;
}) {
  const [merchant, setMerchant] = useState(draft.merchant);
  const [network, setNetwork] = useState(networks.includes(draft.network) ? draft.network : "");
  const [amount, setAmount] = useState(draft.amount);
  const [problems, setProblems] = useState(given);
  function submit(event: FormEvent) {
    event.preventDefault();
    const written = { merchant: withScheme(merchant.trim()), network, amount: amount.trim() };
    const amountProblem = problemOfAmount(written.amount);
    const found = { ...problemsOf(written, networks), ...(amountProblem && { amount: amountProblem }) };
    setProblems(found);
    if (Object.keys(found).length === 0) onDone(written);
  }
  return (
    <>
      <PageTitle>One payment</PageTitle>
      <p className="mt-2 text-muted">
        Say what is to be paid. You decide on the next page; nothing is paid by this one.
      </p>
      <form onSubmit={submit} noValidate className="mt-6 grid gap-5">
        <TextField
          label="Merchant"
          hint="The address that asks for payment, with or without https://"
          error={problems.merchant}
          value={merchant}
          onChange={({ currentTarget }) => setMerchant(currentTarget.value)}
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          label="Network"
          error={problems.network}
          value={network}
          onChange={({ currentTarget }) => setNetwork(currentTarget.value)}
        >
          {network === "" && <option value="">Choose a network</option>}
          {networks.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <UsdField
          label="At most"
          hint="The charge may be lower, never higher."
          error={problems.amount}
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <Actions>
          <Button type="submit" look="primary">
            Go on
          </Button>
        </Actions>
      </form>
    </>
  );
}
