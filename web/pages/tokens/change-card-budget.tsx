import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { type CardBudgetProblems, readCardBudget, toCardBudgetDraft } from "../../components/card-budget-draft.ts";
import { CardBudgetFields } from "../../components/card-budget-fields.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { ChangeApiTokenCardBudgetDocument, type TokenRowFragment } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Dialog to change the limits of a token for orders by card. */
export function ChangeCardBudget({
  token,
  onClose,
}: {
  readonly token: TokenRowFragment;
  readonly onClose: () => void;
}) {
  const [budget, setBudget] = useState(() => toCardBudgetDraft(token.cardBudget));
  const [problems, setProblems] = useState<CardBudgetProblems>({});
  const change = useOperation(ChangeApiTokenCardBudgetDocument);
  const toast = useToast();
  async function save(event: FormEvent) {
    event.preventDefault();
    const read = readCardBudget(budget, { allowsNoLimit: true });
    setProblems("problems" in read ? read.problems : {});
    if ("problems" in read) return;
    const { value } = await change.run({ input: { id: token.id, cardBudget: read.input ?? null } });
    if (!value) return;
    toast(`Card limits of “${token.name}” changed.`);
    onClose();
  }
  return (
    <Dialog
      isOpen
      title={`Card limits of “${token.name}”`}
      description="Limits apply from the next order, in addition to your checkout policy."
      onClose={onClose}
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-4">
        <CardBudgetFields draft={budget} problems={problems} isNew={false} onChange={setBudget} />
        <FailureNotice failure={change.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={change.isRunning}>
            Save limits
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
