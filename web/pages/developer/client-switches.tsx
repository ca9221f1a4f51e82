import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { type OAuthClientDetailsFragment, UpdateOAuthClientDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

const SWITCHES = {
  requireSecretOnRefresh: {
    name: "Ask for the secret on refresh",
    meaning: "A refresh token alone is then worth nothing. Recommended for apps that can keep their secret.",
  },
  strictScopes: {
    name: "Hold tokens to their scopes",
    meaning: "Each token then does only what people allowed. Otherwise any of them may call any route.",
  },
} as const;

/** Two rules an application can lay on itself. */
export function ClientSwitches({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const update = useOperation(UpdateOAuthClientDocument);
  return (
    <Section title="Rules">
      <ul className="grid gap-4">
        {(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name) => (
          <li key={name} className="flex items-center justify-between gap-6">
            <span className="min-w-0">
              {SWITCHES[name].name}
              <span className="block text-small text-muted">{SWITCHES[name].meaning}</span>
            </span>
            <Switch
              label={SWITCHES[name].name}
              isOn={client[name]}
              isBusy={update.isRunning}
              onChange={(isOn) => void update.run({ input: { id: client.id, [name]: isOn } })}
            />
          </li>
        ))}
      </ul>
      <FailureNotice failure={update.failure} />
    </Section>
  );
}
