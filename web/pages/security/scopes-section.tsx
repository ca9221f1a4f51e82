import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toasts.tsx";
import { SetStrictScopesDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Scopes are declared, and enforced only where the owner says so. */
export function ScopesSection({ isOn, onChanged }: { readonly isOn: boolean; readonly onChanged: () => void }) {
  const set = useOperation(SetStrictScopesDocument);
  const toast = useToast();
  async function change(enabled: boolean) {
    const { value } = await set.run({ input: { enabled } });
    if (!value) return;
    toast(enabled ? "Scopes are enforced." : "Scopes are declared, and not enforced.");
    onChanged();
  }
  return (
    <Section title="Scopes">
      <div className="flex items-center justify-between gap-6">
        <p className="min-w-0 text-small text-muted">
          {isOn
            ? "A token or app without the scope cannot pay, or see your balance or payments."
            : "Every token and app may pay within its limits and see your balance and payments, whatever its scopes say. Enforcing them may stop one that relies on this."}
        </p>
        <Switch
          label="Enforce scopes"
          isOn={isOn}
          isBusy={set.isRunning}
          onChange={(enabled) => void change(enabled)}
        />
      </div>
      <FailureNotice failure={set.failure} />
    </Section>
  );
}
