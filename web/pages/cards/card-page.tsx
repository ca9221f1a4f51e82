import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { cardName } from "../../components/card-name.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type CardRowFragment,
  type CardsQuery,
  RemoveCardDocument,
  UpdateCardDocument,
  type UpdateCardInput,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";
import { CardForm } from "./card-form.tsx";
import { CardStatusBadge } from "./card-status.tsx";
import { useCards } from "./use-cards.ts";

/** One card with its form, and buttons to disable or remove it. */
export default function CardPage({ params: { cardId = "" } }: PageProps) {
  const { viewer, shown: cards, failure, again } = useCards();
  const card = cards?.find((candidate) => candidate.cardId === cardId);
  if (viewer && card) return <CardDetails key={card.id} card={card} viewer={viewer} />;
  if (!cards && !failure) return <PageSkeleton />;
  return (
    <>
      <PageTitle>{failure ? "Card" : "Card not found"}</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      {!failure && <Back />}
    </>
  );
}

function Back() {
  return (
    <Link href={PATHS.cards} className="text-leather underline underline-offset-3">
      Cards
    </Link>
  );
}

function CardDetails({
  card,
  viewer,
}: {
  readonly card: CardRowFragment;
  readonly viewer: NonNullable<CardsQuery["viewer"]>;
}) {
  const { id, status } = card;
  const name = cardName(card);
  const [isRemoving, setIsRemoving] = useState(false);
  const update = useOperation(UpdateCardDocument);
  const toggle = useOperation(UpdateCardDocument);
  const proof = useProof(viewer.account, "changes to cards require a recent sign-in");
  const toast = useToast();
  const [, navigate] = useLocation();
  async function change(operation: typeof update, input: UpdateCardInput, done: string) {
    const { value, error } = await operation.run({ input });
    if (needsProof(error)) return proof.request(() => void change(operation, input, done));
    if (!value) return;
    toast(done);
    if (operation === update) navigate(PATHS.cards);
  }
  const isDisabled = status === "DISABLED";
  return (
    <>
      <Back />
      <PageTitle
        aside={
          <div className="flex flex-wrap items-center gap-3">
            <CardStatusBadge status={status} />
            <Button
              size="small"
              isBusy={toggle.isRunning}
              onClick={() =>
                void change(
                  toggle,
                  { id, isEnabled: isDisabled },
                  isDisabled ? `${name} is enabled.` : `${name} is disabled.`,
                )
              }
            >
              {isDisabled ? "Enable" : "Disable"}
            </Button>
            <Button size="small" look="danger" onClick={() => setIsRemoving(true)}>
              Remove
            </Button>
          </div>
        }
      >
        {name}
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        {isDisabled
          ? "This card is disabled. It cannot be used for purchases."
          : "To change the number, add a new card."}
      </p>
      <FailureNotice failure={needsProof(toggle.failure) ? null : toggle.failure} />
      <CardForm
        card={card}
        keepsSecurityCodes={viewer.keepsSecurityCodes}
        failure={update.failure}
        isBusy={update.isRunning}
        submitText="Save"
        aside={
          <Link href={PATHS.cards} className={buttonClass()}>
            Cancel
          </Link>
        }
        onSubmit={({ expiry: _written, number: _none, ...texts }, expiry) =>
          void change(update, { id, ...texts, nickname: texts.nickname ?? "", ...expiry }, `${name} saved.`)
        }
      />
      {isRemoving && <RemoveDialog card={card} onClose={() => setIsRemoving(false)} />}
      {proof.dialog}
    </>
  );
}

function RemoveDialog({ card, onClose }: { readonly card: CardRowFragment; readonly onClose: () => void }) {
  const remove = useOperation(RemoveCardDocument);
  const toast = useToast();
  const [, navigate] = useLocation();
  const name = cardName(card);
  async function confirm() {
    const { value } = await remove.run({ input: { id: card.id } });
    if (!value) return;
    toast(`${name} removed.`);
    navigate(PATHS.cards);
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Remove ${name}?`}
      description={`The card number is deleted and the card can no longer be used.${
        card.isDefault
          ? " This is your default card. Your newest other card becomes the default, and its address becomes the default delivery address."
          : ""
      } This cannot be undone.`}
      confirmText="Remove card"
      isBusy={remove.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={remove.failure} />
    </ConfirmDialog>
  );
}
