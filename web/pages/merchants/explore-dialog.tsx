import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ExploreMerchantDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Dialog to explore a merchant before the first purchase. */
export function ExploreDialog({
  url: initialUrl,
  goal: initialGoal,
  onClose,
}: {
  readonly url: string;
  readonly goal: string;
  readonly onClose: () => void;
}) {
  const [url, setUrl] = useState(initialUrl);
  const [goal, setGoal] = useState(initialGoal);
  const explore = useOperation(ExploreMerchantDocument);
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
      title="Explore merchant"
      description="Satchel reads the catalogue and checkout for up to two minutes. It buys nothing and uses no card."
      onClose={onClose}
    >
      <form onSubmit={(event) => void send(event)} className="grid gap-4">
        <TextField
          label="Merchant URL"
          hint="Preferably the page of a product."
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
          label="Intended purchase"
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
            Explore
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
