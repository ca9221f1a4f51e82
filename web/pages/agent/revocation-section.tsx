import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type AgentCardFragment, ReinstateAgentDocument, RevokeAgentDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Section to revoke or reinstate the agent. */
export function RevocationSection({
  agent: { status },
  onChanged,
}: {
  readonly agent: AgentCardFragment;
  readonly onChanged: () => void;
}) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [reason, setReason] = useState("");
  const revoke = useOperation(RevokeAgentDocument);
  const reinstate = useOperation(ReinstateAgentDocument);
  const toast = useToast();
  async function revokeAgent() {
    const { value } = await revoke.run({ input: reason.trim() ? { reason: reason.trim() } : {} });
    setIsConfirming(false);
    if (!value) return;
    toast("Agent revoked. Its credentials are invalid.");
    onChanged();
  }
  async function reinstateAgent() {
    const { value } = await reinstate.run({});
    if (!value) return;
    toast("Agent reinstated.");
    onChanged();
  }
  return (
    <Section
      title={status === "REVOKED" ? "Reinstate agent" : "Revoke agent"}
      hint={
        status === "REVOKED"
          ? "The agent receives new credentials and its mailbox is enabled again. Previous credentials remain invalid."
          : "Credentials become invalid and the mailbox is disabled immediately. Payments continue within your limits. To stop them, revoke the tokens."
      }
    >
      {status === "REVOKED" ? (
        <Button isBusy={reinstate.isRunning} onClick={() => void reinstateAgent()}>
          Reinstate
        </Button>
      ) : (
        <Button look="danger" onClick={() => setIsConfirming(true)}>
          Revoke
        </Button>
      )}
      <FailureNotice failure={revoke.failure ?? reinstate.failure} />
      <ConfirmDialog
        title="Revoke agent?"
        description="Its credentials become invalid until you reinstate it."
        confirmText="Revoke agent"
        isOpen={isConfirming}
        isBusy={revoke.isRunning}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void revokeAgent()}
      >
        <TextField
          label="Reason"
          hint="Optional, visible only to you."
          maxLength={200}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </ConfirmDialog>
    </Section>
  );
}
