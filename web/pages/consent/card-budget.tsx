import type { CardBudgetDraft } from "../../components/card-budget-draft.ts";

const TEXTS: Readonly<Record<CardBudgetDraft["choice"], string>> = {
  LIMITS: "Same for card orders in USD",
  OWN: "Card orders: own limits",
  POLICY: "Card orders: checkout policy",
};

/** States the limits for orders by card in one line, because the decision fits on one screen of a phone. */
export function ChangeCardBudget({
  choice,
  onOpen,
}: {
  readonly choice: CardBudgetDraft["choice"];
  readonly onOpen: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={`${TEXTS[choice]}. Change`}
      onClick={onOpen}
      className="min-h-6 text-small font-normal text-leather underline underline-offset-3"
    >
      {TEXTS[choice]}
    </button>
  );
}
