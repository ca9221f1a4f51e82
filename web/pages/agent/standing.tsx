import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type AgentCardFragment, ReinstateAgentDocument, RevokeAgentDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Revoking the agent, and taking that back. */
export function Standing({
  agent: { status },
  onChanged,
}: {
  readonly agent: AgentCardFragment;
  readonly onChanged: () => void;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const [reason, setReason] = useState("");
  const revoke = useOperation(RevokeAgentDocument);
  const reinstate = useOperation(ReinstateAgentDocument);
  const toast = useToast();
  async function revokeIt() {
    const { value } = await revoke.run({ input: reason.trim() ? { reason: reason.trim() } : {} });
    setIsAsked(false);
    if (!value) return;
    toast("The agent is revoked. Its credentials are void.");
    onChanged();
  }
  async function reinstateIt() {
    const { value } = await reinstate.run({});
    if (!value) return;
    toast("The agent is vouched for again.");
    onChanged();
  }
  return (
    <Section
      title={status === "REVOKED" ? "Reinstate the agent" : "Revoke the agent"}
      hint={
        status === "REVOKED"
          ? "It gets new credentials, and its mailbox works again. Those that were void stay so."
          : "Its credentials are void at once, and its mailbox stands still. Payments within your limits go on: to stop those, revoke the tokens."
      }
    >
      {status === "REVOKED" ? (
        <Button isBusy={reinstate.isRunning} onClick={() => void reinstateIt()}>
          Reinstate it
        </Button>
      ) : (
        <Button look="danger" onClick={() => setIsAsked(true)}>
          Revoke it
        </Button>
      )}
      <FailureNotice failure={revoke.failure ?? reinstate.failure} />
      <ConfirmDialog
        title="Revoke the agent?"
        description="Nobody vouches for it any more, until you reinstate it."
        confirmText="Revoke the agent"
        isOpen={isAsked}
        isBusy={revoke.isRunning}
        onClose={() => setIsAsked(false)}
        onConfirm={() => void revokeIt()}
      >
        <TextField
          label="Why"
          hint="For yourself; may be left empty."
          maxLength={200}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </ConfirmDialog>
    </Section>
  );
}
