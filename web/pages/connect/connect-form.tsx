import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CardBudgetFields } from "../../components/card-budget-fields.tsx";
import { Actions } from "../../components/dialog.tsx";
import { Checkbox, FieldGroup, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { failureAt } from "../../graphql/match-result.ts";
import { TokenLimitFields } from "../tokens/token-limit-fields.tsx";
import { useCreateToken } from "../tokens/use-create-token.ts";
import { scopesOf, TOOL_GROUPS } from "./tool-groups.ts";

const FIELDS = ["name", "perTransactionLimitUsd", "dailyLimitUsd", "monthlyLimitUsd"];

/** Limits, name and tools of an agent, which create its token. */
export function ConnectForm({
  groups,
  onGroups,
  onCreated,
}: {
  /** Names of the selected groups. */
  readonly groups: readonly string[];
  readonly onGroups: (groups: readonly string[]) => void;
  readonly onCreated: (token: { readonly secret: string; readonly name: string }) => void;
}) {
  const { choices, problems, budget, failure, isRunning, submit, proofDialog } = useCreateToken(onCreated);
  const [needsGroup, setNeedsGroup] = useState(false);
  const errorAt = (field: string) => problems[field] ?? failureAt(failure, field);
  function trySubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setNeedsGroup(groups.length === 0);
    if (groups.length > 0) void submit(event);
  }
  return (
    <>
      <form noValidate onSubmit={trySubmit} className="grid max-w-[72ch] gap-5">
        <FailureNotice failure={choices.failure} onRetry={choices.again} />
        <TokenLimitFields
          isRequired
          errorAt={errorAt}
          hint="A payment beyond these limits is refused. The account limits always apply. The monthly limit is optional."
        />
        <CardBudgetFields {...budget} isNew />
        <TextField
          label="Name of the agent"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          hint="Shown beside its payments."
          error={errorAt("name")}
        />
        <FieldGroup legend="Tools">
          {TOOL_GROUPS.map(({ name, text }) => (
            <Checkbox
              key={name}
              label={text}
              checked={groups.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onGroups(
                  TOOL_GROUPS.map((group) => group.name).filter((it) => (it === name ? checked : groups.includes(it))),
                )
              }
            />
          ))}
          {needsGroup && groups.length === 0 && (
            <p role="alert" className="mt-1 text-small text-bad">
              Select at least one group of tools.
            </p>
          )}
        </FieldGroup>
        {scopesOf(groups).map((scope) => (
          <input key={scope} type="hidden" name="scopes" value={scope} />
        ))}
        {choices.shown?.wallet.networks.map((network) => (
          <input key={network} type="hidden" name="networks" value={network} />
        ))}
        <FailureNotice failure={FIELDS.some((field) => failureAt(failure, field)) ? null : failure} />
        <Actions>
          <Button type="submit" look="primary" isBusy={isRunning || !choices.shown}>
            Create token
          </Button>
        </Actions>
      </form>
      {proofDialog}
    </>
  );
}
