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
  requirePushedAuthorizationRequests: {
    name: "Require pushed authorization requests",
    description:
      "Authorization requests must be sent to /oauth/par first, which protects them from changes in the browser (RFC 9126). All others are refused.",
  },
  deviceGrant: {
    name: "Allow devices without a browser",
    description: "Users connect a device by a code that they enter on another one (device authorization grant).",
  },
  strictScopes: {
    name: "Enforce scopes",
    description:
      "Limits each token to its granted scopes. Otherwise tokens can call all REST routes that existing clients rely on, as the consent page states. Turning it off affects new grants only.",
  },
} as const;

/** Settings of an app that take effect immediately. */
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
