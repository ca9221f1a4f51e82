import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { type CardBudgetProblems, NEW_CARD_BUDGET, readCardBudget } from "../../components/card-budget-draft.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import {
  CreateApiTokenDocument,
  type CreateApiTokenInput,
  type Scope,
  TokenChoicesDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";
import { TokenFields, type TokenProblems } from "./token-fields.tsx";

/** Placeholder until the account is loaded. The form cannot be submitted before. */
const UNKNOWN_ACCOUNT = { id: "", email: null };

/** Form to create a token, followed by its secret. */
export function CreateTokenDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}) {
  const choices = useReading(
    { query: TokenChoicesDocument, requestPolicy: "cache-first" },
    ({ viewer }) => viewer ?? undefined,
  );
  const create = useOperation(CreateApiTokenDocument);
  const proof = useProof(
    choices.shown?.account ?? UNKNOWN_ACCOUNT,
    "tokens with these permissions require a recent sign-in",
  );
  const [secret, setSecret] = useState<string | null>(null);
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
    await createToken({ ...readForm(new FormData(event.currentTarget)), cardBudget: read.input });
  }
  async function createToken(input: CreateApiTokenInput) {
    const { value, error } = await create.run({ input });
    if (needsProof(error)) proof.request(() => void createToken(input));
    if (!value) return;
    setSecret(value.secret);
    onCreated();
  }

  if (secret !== null) {
    return (
      <Dialog isOpen title="Token created" onClose={onClose} mayDismiss={false}>
        <OneTimeSecret secret={secret} what="the token" />
        <p className="mt-4 text-small text-muted">
          Send it in the <code className="font-mono">X-Service-Token</code> header or as{" "}
          <code className="font-mono">Authorization: Bearer</code>.
        </p>
        <Actions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      title="New token"
      description="A token can never exceed the permissions and limits of your account."
      onClose={onClose}
      mayDismiss={!create.isRunning}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <FailureNotice failure={choices.failure} onRetry={choices.again} />
        <TokenFields
          networks={choices.shown?.wallet.networks}
          problems={problems}
          budget={{ draft: budget, problems: budgetProblems, onChange: setBudget }}
          failure={needsProof(create.failure) ? null : create.failure}
        />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isRunning || !choices.shown}>
            Create token
          </Button>
        </Actions>
      </form>
      {proof.dialog}
    </Dialog>
  );
}

const AMOUNT = "Enter an amount such as 5 or 0.25.";
const PROBLEMS: TokenProblems = {
  name: "Enter a name.",
  perTransactionLimitUsd: AMOUNT,
  dailyLimitUsd: AMOUNT,
  monthlyLimitUsd: AMOUNT,
  endsOn: "Choose today or a later date, or leave the field empty.",
};

/** Returns problems by the browser's constraint validation. A partial date reads as an empty value, and the token would never expire. */
function findProblems({ elements }: HTMLFormElement): TokenProblems {
  const isWrong = (name: string) => {
    const field = elements.namedItem(name);
    return field instanceof HTMLInputElement && !field.validity.valid;
  };
  return Object.fromEntries(Object.entries(PROBLEMS).filter(([name]) => isWrong(name)));
}

function readForm(form: FormData): CreateApiTokenInput {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const endsOn = text("endsOn");
  return {
    name: text("name"),
    perTransactionLimitUsd: text("perTransactionLimitUsd") || null,
    dailyLimitUsd: text("dailyLimitUsd") || null,
    monthlyLimitUsd: text("monthlyLimitUsd") || null,
    networks: form.getAll("networks").map(String),
    scopes: form.getAll("scopes").map((scope) => String(scope) as Scope),
    allowedHosts: text("allowedHosts")
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(hostOf),
    expiresAt: endsOn ? `${endsOn}T23:59:59.999Z` : null,
  };
}

/** Returns the host of a pasted URL or of a host with a port. */
function hostOf(text: string): string {
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).hostname : text;
}
