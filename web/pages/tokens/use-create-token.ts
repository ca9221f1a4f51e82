import { type FormEvent, type ReactNode, useState } from "react";
import { type CardBudgetProblems, NEW_CARD_BUDGET, readCardBudget } from "../../components/card-budget-draft.ts";
import { CreateApiTokenDocument, type CreateApiTokenInput, TokenChoicesDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";
import { findProblems, readTokenForm, type TokenProblems } from "./read-token-form.ts";

/** Placeholder until the account is loaded. The form cannot be submitted before. */
const UNKNOWN_ACCOUNT = { id: "", email: null };

/** Creates a token from the fields of a form, after a recent sign-in if one is required. */
export function useCreateToken(onCreated: (token: { readonly secret: string; readonly name: string }) => void) {
  const choices = useReading(
    { query: TokenChoicesDocument, requestPolicy: "cache-first" },
    ({ viewer }) => viewer ?? undefined,
  );
  const create = useOperation(CreateApiTokenDocument);
  const proof = useProof(
    choices.shown?.account ?? UNKNOWN_ACCOUNT,
    "tokens with these permissions require a recent sign-in",
  );
  const [problems, setProblems] = useState<TokenProblems>({});
  const [budget, setBudget] = useState(NEW_CARD_BUDGET);
  const [budgetProblems, setBudgetProblems] = useState<CardBudgetProblems>({});

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = findProblems(event.currentTarget);
    setProblems(found);
    const read = readCardBudget(budget, { allowsNoLimit: true });
    setBudgetProblems("problems" in read ? read.problems : {});
    if (Object.keys(found).length > 0 || "problems" in read) return;
    await createToken({ ...readTokenForm(new FormData(event.currentTarget)), cardBudget: read.input });
  }
  async function createToken(input: CreateApiTokenInput) {
    const { value, error } = await create.run({ input });
    if (needsProof(error)) proof.request(() => void createToken(input));
    if (value) onCreated({ secret: value.secret, name: value.token.name });
  }

  const failure: Failure | null = needsProof(create.failure) ? null : create.failure;
  const proofDialog: ReactNode = proof.dialog;
  return {
    choices,
    problems,
    budget: { draft: budget, problems: budgetProblems, onChange: setBudget },
    failure,
    isRunning: create.isRunning,
    submit,
    proofDialog,
  };
}
