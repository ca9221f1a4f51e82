import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ExploreShopDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** A shop that nothing was bought at: looked at first, so that things can be priced and bought there. */
export function ExploreDialog({
  url: known,
  goal: wanted,
  onClose,
}: {
  readonly url: string;
  readonly goal: string;
  readonly onClose: () => void;
}) {
  const [url, setUrl] = useState(known);
  const [goal, setGoal] = useState(wanted);
  const explore = useOperation(ExploreShopDocument);
  const [, navigate] = useLocation();
  async function send(event: FormEvent) {
    event.preventDefault();
    const merchantUrl = url.includes("://") ? url.trim() : `https://${url.trim()}`;
    const { value } = await explore.run({ input: { merchantUrl, goal: goal.trim() } });
    if (value) navigate(`/orders/${value.order.orderId}`);
  }
  const [atUrl, atGoal] = [failureAt(explore.failure, "merchantUrl"), failureAt(explore.failure, "goal")];
  return (
    <Dialog
      isOpen
      title="Explore a shop"
      description="Its catalogue and checkout are read, two minutes at most. Nothing is bought, and no card is used."
      onClose={onClose}
    >
      <form onSubmit={(event) => void send(event)} className="grid gap-4">
        <TextField
          label="The shop’s address"
          hint="Best the page of a product."
          required
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_048}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={atUrl}
        />
        <TextField
          label="What you want to buy there"
          required
          maxLength={2_000}
          autoComplete="off"
          value={goal}
          onChange={({ currentTarget }) => setGoal(currentTarget.value)}
          error={atGoal}
        />
        <FailureNotice failure={atUrl || atGoal ? null : explore.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={explore.isRunning}>
            Explore it
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
