import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { type AgentCardFragment, AgentDocument, AgentUpdatesDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { Credentials } from "./credentials.tsx";
import { Disputes } from "./disputes.tsx";
import { IdentityCard } from "./identity-card.tsx";
import { RegistrationSection } from "./registration-section.tsx";
import { RevocationSection } from "./revocation-section.tsx";
import { Trust } from "./trust.tsx";

/** The agent: on-chain identity, trust score, credentials and disputes. */
export default function AgentPage() {
  const { shown: viewer, failure, again } = useReading({ query: AgentDocument }, ({ viewer }) => viewer ?? undefined);
  useResumableSubscription(AgentUpdatesDocument, {
    onEvent({ agentUpdated: { cursor } }) {
      again();
      return cursor;
    },
    onLost: again,
  });
  if (!viewer) {
    if (!failure) return <PageSkeleton />;
    return (
      <>
        <PageTitle>Agent</PageTitle>
        <FailureNotice failure={failure} onRetry={again} />
      </>
    );
  }
  const { agent, agentRegistration: registration } = viewer;
  return (
    <>
      {agent ? (
        <Agent agent={agent} isWithdrawn={registration.state === "WITHDRAWN"} onChanged={again} />
      ) : (
        <NoAgent isEnabled={registration.isEnabled} />
      )}
      <RegistrationSection registration={registration} onChanged={again} />
    </>
  );
}

function Agent({
  agent,
  isWithdrawn,
  onChanged,
}: {
  readonly agent: AgentCardFragment;
  readonly isWithdrawn: boolean;
  readonly onChanged: () => void;
}) {
  return (
    <>
      <PageTitle>Agent</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your agent acts on your behalf. It has an on-chain identity (ERC-8004) and credentials that any merchant can
        verify.
      </p>
      <IdentityCard agent={agent} />
      <Trust trustScore={agent.trustScore} />
      <Credentials agent={agent} />
      <Disputes disputes={nodesOf(agent.disputes)} />
      {!isWithdrawn && <RevocationSection agent={agent} onChanged={onChanged} />}
    </>
  );
}

function NoAgent({ isEnabled }: { readonly isEnabled: boolean }) {
  return (
    <>
      <PageTitle>Agent</PageTitle>
      <div className="mt-6">
        <Empty>
          {isEnabled ? (
            <>
              No agent yet. Satchel registers it automatically after you create an API token or connect an app.{" "}
              <Link href={PATHS.tokens} className="text-leather underline underline-offset-3">
                Create API token
              </Link>
            </>
          ) : (
            "No agent. Its registration is disabled, and nothing about it is public. Enable the registration below."
          )}
        </Empty>
      </div>
    </>
  );
}
