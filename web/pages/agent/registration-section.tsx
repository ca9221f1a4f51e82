import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type AgentRegistrationFieldsFragment, SetAgentRegistrationDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Choice of what becomes public about the agent, with what that means before it does. */
export function RegistrationSection({
  registration,
  onChanged,
}: {
  readonly registration: AgentRegistrationFieldsFragment;
  readonly onChanged: () => void;
}) {
  const { isEnabled, publishesMailbox, publishesWallet, state, notices } = registration;
  const [confirming, setConfirming] = useState<"enable" | "wallet" | "disable" | null>(null);
  const set = useOperation(SetAgentRegistrationDocument);
  const toast = useToast();
  async function change(choice: { enabled: boolean; publishesMailbox?: boolean; publishesWallet?: boolean }) {
    const { value } = await set.run({ input: choice });
    setConfirming(null);
    if (!value) return;
    toast("Choice saved.");
    onChanged();
  }
  return (
    <Section title="Public registration" hint="What anyone can see about your agent, on a blockchain and in its file.">
      <ul className="grid gap-2 text-small text-muted">
        {notices.map((notice) => (
          <li key={notice} className="max-w-[72ch]">
            {notice}
          </li>
        ))}
      </ul>
      <div className="mt-4 grid gap-4">
        {isEnabled && (
          <>
            <div className="flex items-center justify-between gap-6">
              <p className="min-w-0 text-small">Publish the mailbox</p>
              <Switch
                label="Publish the mailbox"
                isOn={publishesMailbox}
                isBusy={set.isRunning}
                onChange={(isOn) => void change({ enabled: true, publishesMailbox: isOn })}
              />
            </div>
            <div className="flex items-center justify-between gap-6">
              <p className="min-w-0 text-small">Publish the wallet</p>
              <Switch
                label="Publish the wallet"
                isOn={publishesWallet}
                isBusy={set.isRunning}
                onChange={(isOn) =>
                  isOn ? setConfirming("wallet") : void change({ enabled: true, publishesWallet: false })
                }
              />
            </div>
          </>
        )}
        <div>
          {isEnabled ? (
            <Button look="danger" onClick={() => setConfirming("disable")}>
              Disable registration
            </Button>
          ) : (
            <Button onClick={() => setConfirming("enable")}>Enable registration</Button>
          )}
        </div>
      </div>
      <FailureNotice failure={set.failure} />
      <ConfirmDialog
        title="Register an agent publicly?"
        description={notices[0] ?? ""}
        confirmText="Enable registration"
        isOpen={confirming === "enable"}
        isBusy={set.isRunning}
        onClose={() => setConfirming(null)}
        onConfirm={() => void change({ enabled: true })}
      />
      <ConfirmDialog
        title="Publish the wallet?"
        description="The link between agent and wallet is written to a public blockchain and cannot be deleted."
        confirmText="Publish wallet"
        isOpen={confirming === "wallet"}
        isBusy={set.isRunning}
        onClose={() => setConfirming(null)}
        onConfirm={() => void change({ enabled: true, publishesWallet: true })}
      />
      <ConfirmDialog
        title="Disable registration?"
        description={
          state === "REGISTERED"
            ? "The registration cannot be deleted from the blockchain. The agent is revoked, its mailbox stops working, and its file becomes empty."
            : "The agent is not registered. A registration that was already sent cannot be stopped."
        }
        confirmText="Disable registration"
        isOpen={confirming === "disable"}
        isBusy={set.isRunning}
        onClose={() => setConfirming(null)}
        onConfirm={() => void change({ enabled: false })}
      />
    </Section>
  );
}
