import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toasts.tsx";
import { SetStrictScopesDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Switch for strict scopes. Scopes are enforced only if the account owner enables it. */
export function ScopesSection({ isOn, onChanged }: { readonly isOn: boolean; readonly onChanged: () => void }) {
  const set = useOperation(SetStrictScopesDocument);
  const toast = useToast();
  async function change(enabled: boolean) {
    const { value } = await set.run({ input: { enabled } });
    if (!value) return;
    toast(enabled ? "Scope enforcement enabled." : "Scope enforcement disabled.");
    onChanged();
  }
  return (
    <Section title="Scopes">
      <div className="flex items-center justify-between gap-6">
        <p className="min-w-0 text-small text-muted">
          {isOn
            ? "Tokens and apps can pay or read balances and payments only with the scope for it."
            : "All tokens and apps can pay within their limits and read balances and payments, regardless of scopes. Enforcing scopes may break clients that rely on this."}
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
