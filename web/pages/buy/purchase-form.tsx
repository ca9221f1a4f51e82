import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { SelectField, TextField, UsdField } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import {
  findAmountProblem,
  findPurchaseProblems,
  type PurchaseDraft,
  type PurchaseProblems,
  withScheme,
} from "./read-purchase.ts";

/** Form for the payment, for links with missing or invalid parameters. */
export function PurchaseForm({
  draft,
  networks,
  problems: initialProblems,
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
  const [problems, setProblems] = useState(initialProblems);
  function submit(event: FormEvent) {
    event.preventDefault();
    const input = { merchant: withScheme(merchant.trim()), network, amount: amount.trim() };
    const amountProblem = findAmountProblem(input.amount);
    const found = { ...findPurchaseProblems(input, networks), ...(amountProblem && { amount: amountProblem }) };
    setProblems(found);
    if (Object.keys(found).length === 0) onDone(input);
  }
  return (
    <>
      <PageTitle>Approve payment</PageTitle>
      <p className="mt-2 text-muted">Enter the payment. You approve it on the next page.</p>
      <form onSubmit={submit} noValidate className="mt-6 grid gap-5">
        <TextField
          label="Merchant"
          hint="URL of the paid resource, with or without https://"
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
          label="Maximum amount"
          hint="The charge cannot exceed this amount."
          error={problems.amount}
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <Actions>
          <Button type="submit" look="primary">
            Continue
          </Button>
        </Actions>
      </form>
    </>
  );
}
