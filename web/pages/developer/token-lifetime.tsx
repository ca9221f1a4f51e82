import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type OAuthClientDetailsFragment, UpdateOAuthClientDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { formatLifetime, MAX_LIFETIME_SECONDS, MIN_LIFETIME_SECONDS, readLifetime } from "./lifetime.ts";

/** Form for the lifetime of an app's access tokens. */
export function TokenLifetime({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const { id, kind, accessTokenLifetimeSeconds } = client;
  const [typed, setTyped] = useState(String(accessTokenLifetimeSeconds));
  const [problem, setProblem] = useState<string | undefined>();
  const update = useOperation(UpdateOAuthClientDocument);
  const toast = useToast();
  async function save(event: FormEvent) {
    event.preventDefault();
    const seconds = readLifetime(typed, kind);
    setProblem(typeof seconds === "string" ? seconds : undefined);
    if (typeof seconds === "string") return;
    const { value } = await update.run({ input: { id, accessTokenLifetimeSeconds: seconds } });
    if (!value) return;
    setTyped(String(value.client.accessTokenLifetimeSeconds));
    toast("Saved.");
  }
  return (
    <Section
      title="Access tokens"
      hint="A leaked token is useful for a shorter time if it expires soon. The app refreshes expired tokens. Issued tokens are not changed."
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid max-w-xl gap-5">
        <TextField
          label="Access tokens expire after"
          unit="seconds"
          inputMode="numeric"
          className="pr-20"
          hint={`From ${MIN_LIFETIME_SECONDS} to ${MAX_LIFETIME_SECONDS[kind]}, which is ${formatLifetime(MAX_LIFETIME_SECONDS[kind])} and the default.`}
          error={problem}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setProblem(undefined);
          }}
        />
        <FailureNotice failure={update.failure} />
        <div>
          <Button type="submit" isBusy={update.isRunning} aria-label="Save: Access tokens">
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}
