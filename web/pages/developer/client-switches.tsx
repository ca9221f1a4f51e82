import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { type OAuthClientDetailsFragment, UpdateOAuthClientDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

const SWITCHES = {
  requireSecretOnRefresh: {
    name: "Require client secret on refresh",
    description: "Refresh tokens work only with the client secret. Recommended for confidential apps.",
  },
  strictScopes: {
    name: "Enforce scopes",
    description: "Limits each token to its granted scopes. Otherwise every token can call all routes.",
  },
} as const;

/** Optional restrictions of an app. */
export function ClientSwitches({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const update = useOperation(UpdateOAuthClientDocument);
  return (
    <Section title="Security">
      <ul className="grid gap-4">
        {(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name) => (
          <li key={name} className="flex items-center justify-between gap-6">
            <span className="min-w-0">
              {SWITCHES[name].name}
              <span className="block text-small text-muted">{SWITCHES[name].description}</span>
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
