import { useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Section } from "../../components/section.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import { HOSTS, type Step } from "./hosts.ts";

/** URL of the server, and the configuration of each host to copy. */
export function Configuration({ url, secret }: { readonly url: string; readonly secret: string | null }) {
  const [hostId, setHostId] = useState(HOSTS[0]?.id ?? "");
  const host = HOSTS.find(({ id }) => id === hostId);
  const signIn = host?.signIn && (
    <Variant
      key="sign-in"
      title="URL alone"
      hint="No token is required. The host opens your browser, where you sign in and set limits. Until an administrator approves the host, it cannot order, swap or send email."
      steps={host.signIn(url)}
    />
  );
  const withToken = host?.withToken && (
    <Variant
      key="token"
      title="API token"
      hint={secret === null ? "Create the token above to see this configuration." : undefined}
      steps={secret === null ? [] : host.withToken(url, secret)}
    />
  );
  return (
    <Section title="Configuration">
      <Facts>
        <Fact name="URL">
          <span className="inline-flex max-w-full items-center gap-1">
            <code className="min-w-0 font-mono text-small break-all">{url}</code>
            <CopyButton text={url} what="the URL" />
          </span>
        </Fact>
      </Facts>
      <div className="mt-6">
        <Tabs label="Host" tabs={HOSTS} selected={hostId} onSelect={setHostId}>
          {host?.note && <p className="mb-4 text-muted">{host.note}</p>}
          {secret === null ? [signIn, withToken] : [withToken, signIn]}
          {host && !host.withToken && <p className="text-muted">This host cannot send an API token.</p>}
        </Tabs>
      </div>
    </Section>
  );
}

function Variant({
  title,
  hint,
  steps,
}: {
  readonly title: string;
  readonly hint: string | undefined;
  readonly steps: readonly Step[];
}) {
  return (
    <div className="mb-6">
      <h3 className="font-semibold">{title}</h3>
      {hint && <p className="text-muted">{hint}</p>}
      {steps.map(({ text, code }, index) => (
        <div key={text} className="mt-3">
          <div className="mb-2 flex items-center justify-between gap-3">
            <p>{text}</p>
            <CopyButton text={code} what={nameStep(title, index)} look="button" />
          </div>
          <Verbatim label={nameStep(title, index)} text={code} />
        </div>
      ))}
    </div>
  );
}

/** Returns the name of a step for screen readers, unique on the page. */
const nameStep = (title: string, index: number) =>
  `step ${index + 1} with ${title === "URL alone" ? "the URL alone" : "the token"}`;
