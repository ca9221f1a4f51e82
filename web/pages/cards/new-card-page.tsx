import { Link, useLocation } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { cardName } from "../../components/card-name.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { useToast } from "../../components/toasts.tsx";
import { AddCardDocument, type AddCardInput, type CardsQuery } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";
import { CardForm } from "./card-form.tsx";
import { useCards } from "./use-cards.ts";

/** Page to add a card to the vault. */
export default function NewCardPage() {
  const { viewer, failure, again } = useCards();
  return (
    <>
      <PageTitle>Add card</PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        The card number is encrypted immediately and never displayed. Adding a card makes no charge.
      </p>
      <FailureNotice failure={failure} onRetry={again} />
      {!viewer && !failure && <SkeletonRows count={6} />}
      {viewer && <NewCard viewer={viewer} />}
    </>
  );
}

function NewCard({ viewer }: { readonly viewer: NonNullable<CardsQuery["viewer"]> }) {
  const add = useOperation(AddCardDocument);
  const proof = useProof(viewer.account, "changes to cards require a recent sign-in");
  const toast = useToast();
  const [, navigate] = useLocation();
  async function send(input: AddCardInput) {
    const { value, error } = await add.run({ input });
    if (needsProof(error)) return proof.request(() => void send(input));
    if (!value) return;
    toast(`${cardName(value.card)} added.`);
    navigate(PATHS.cards);
  }
  return (
    <>
      <CardForm
        card={null}
        keepsSecurityCodes={viewer.keepsSecurityCodes}
        failure={add.failure}
        isBusy={add.isRunning}
        submitText="Add card"
        aside={
          <Link href={PATHS.cards} className={buttonClass()}>
            Cancel
          </Link>
        }
        onSubmit={({ expiry: _written, ...texts }, expiry) => void send({ ...texts, ...expiry })}
      />
      {proof.dialog}
    </>
  );
}
