import { Badge } from "../../components/badge.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import type { AgentCardFragment, AgentDisputeStatus } from "../../generated/graphql.ts";
import type { NodeOf } from "../../graphql/nodes.ts";

const STATUSES = {
  OPEN: { tone: "caution", text: "Open" },
  UPHELD: { tone: "bad", text: "Upheld" },
  DISMISSED: { tone: "muted", text: "Dismissed" },
} as const satisfies Record<AgentDisputeStatus, object>;

/** Disputes about the agent. Renders nothing if there are none. */
export function Disputes({ disputes }: { readonly disputes: readonly NodeOf<AgentCardFragment["disputes"]>[] }) {
  if (disputes.length === 0) return null;
  return (
    <Section title="Disputes" hint="Open and upheld disputes lower the trust score.">
      <ul className="divide-y divide-line border-y border-line">
        {disputes.map(({ id, reason, status, openedAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-3">
            <span className="min-w-0 flex-1 basis-60">{reason}</span>
            <Badge tone={STATUSES[status].tone}>{STATUSES[status].text}</Badge>
            <span className="text-small text-muted">
              <Time at={String(openedAt)} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
