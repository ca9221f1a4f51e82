import { Section } from "../../components/section.tsx";
import type { AgentCardFragment, TrustScorePartName } from "../../generated/graphql.ts";

const PART_NAMES = {
  AGE: "Age",
  PAYMENTS: "Payments",
  RELIABILITY: "Reliability",
  DISPUTES: "Disputes",
} as const satisfies Record<TrustScorePartName, string>;

/** Trust score with its components. */
export function Trust({ trustScore: { score, parts } }: Pick<AgentCardFragment, "trustScore">) {
  return (
    <Section
      title="Trust score"
      hint="Calculated by the same rules for all agents. Merchants see it in the trust credential."
    >
      <p className="figures">
        <span className="text-display font-semibold">{score}</span>
        <span className="text-muted"> of 100</span>
      </p>
      <ul aria-label="Components" className="mt-3 divide-y divide-line border-y border-line">
        {parts.map(({ name, points, maxPoints, explanation }) => (
          <li key={name} className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[10rem_minmax(0,1fr)_6rem]">
            <span className="font-medium">{PART_NAMES[name]}</span>
            <span className="text-muted max-sm:order-last">{explanation}</span>
            <span className="figures sm:text-right">
              {points}
              <span className="text-muted"> of {maxPoints}</span>
              <span aria-hidden="true" className="mt-1 block h-1 rounded-full bg-line">
                <span
                  className="block h-1 rounded-full bg-leather"
                  style={{ width: `${maxPoints > 0 ? Math.max(0, (100 * points) / maxPoints) : 0}%` }}
                />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
