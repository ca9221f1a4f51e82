import { Section } from "../../components/section.tsx";
import type { OrderDetailsFragment } from "../../generated/graphql.ts";

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Steps of the checkout with live updates, oldest first. Screen readers announce new steps. */
export function Steps({ order }: { readonly order: OrderDetailsFragment }) {
  const { steps, isTerminal } = order;
  if (steps.length === 0 && isTerminal) return null;
  return (
    <Section title="Timeline" hint={isTerminal ? undefined : "Steps appear as they happen."}>
      {steps.length === 0 ? (
        <p className="text-muted">No steps yet. The checkout is starting.</p>
      ) : (
        <ol aria-live={isTerminal ? "off" : "polite"} aria-relevant="additions" className="border-y border-line">
          {steps.map(({ seq, at, action, urlOrigin, outcome, screenshot }) => (
            <li
              key={seq}
              className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-b border-line py-2 last:border-0"
            >
              <time dateTime={at} className="figures text-small text-muted">
                {clock.format(new Date(at))}
              </time>
              <span className="min-w-0 wrap-anywhere">
                <span className="inline-block font-medium first-letter:uppercase">{action}</span>
                <bdi className="text-muted"> {outcome}</bdi>
                {urlOrigin !== null && <span className="block text-small text-muted">{urlOrigin}</span>}
                {screenshot && (
                  <a
                    href={`#${screenshot.artifactId}`}
                    className="text-small text-leather underline underline-offset-3"
                  >
                    Screenshot
                  </a>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
