import { useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { X402DisabledNotice } from "../../components/x402-disabled-notice.tsx";
import { TokenChoicesDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Configuration } from "./configuration.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { formatServerUrl, TOOL_GROUPS } from "./tool-groups.ts";
import { useServerUrl } from "./use-server-url.ts";

const DEFAULT_GROUPS = TOOL_GROUPS.filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** Limits of an agent first, then the configuration of the program that runs it. The token is held by this page only. */
export default function ConnectPage() {
  const [groups, setGroups] = useState<readonly string[]>(DEFAULT_GROUPS);
  const [token, setToken] = useState<{ readonly secret: string; readonly name: string } | null>(null);
  const server = useServerUrl();
  const choices = useReading(
    { query: TokenChoicesDocument, requestPolicy: "cache-first" },
    ({ viewer }) => viewer ?? undefined,
  );
  return (
    <>
      <PageTitle>Connect an agent</PageTitle>
      {choices.shown?.account.x402Enabled === false && (
        <div className="mt-6">
          <X402DisabledNotice consequence="the agent cannot pay until you turn them on" />
        </div>
      )}
      {token ? (
        <Section title={`Token of “${token.name}”`}>
          <OneTimeSecret secret={token.secret} what="the token" />
          <p className="mt-4 text-muted">
            The configuration below contains it. Change or revoke the token under{" "}
            <Link href={PATHS.tokens} className="text-leather underline underline-offset-3">
              API tokens
            </Link>
            .
          </p>
        </Section>
      ) : (
        <Section title="Limits">
          <ConnectForm
            groups={groups}
            onGroups={setGroups}
            onCreated={(created) => {
              setToken(created);
              focusPageTop();
            }}
          />
        </Section>
      )}
      <FailureNotice failure={server.failure} onRetry={server.again} />
      {server.url && <Configuration url={formatServerUrl(server.url, groups)} secret={token?.secret ?? null} />}
    </>
  );
}
