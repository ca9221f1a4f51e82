import { Fact, Facts } from "../../components/list.tsx";
import { Price } from "../../components/price.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetailsFragment } from "../../generated/graphql.ts";

/** Result of a dry run: what the merchant's checkout states and requires. Nothing for other orders. */
export function DryRunResult({ order: { dryRun } }: { readonly order: OrderDetailsFragment }) {
  if (!dryRun) return null;
  const { isAtPayment, total, tax, missingFields, validUntil } = dryRun;
  return (
    <Section title="Dry run" hint="Nothing was ordered, and no card was used.">
      <Facts>
        <Fact name="Total">
          {total ? <Price {...total} /> : "Not stated"}
          {!isAtPayment && <span className="text-muted">, before the payment page: it may still change</span>}
        </Fact>
        {tax && (
          <Fact name="Tax">
            <Price {...tax} />
          </Fact>
        )}
        <Fact name="Missing fields">
          {missingFields.length === 0 ? "None" : <bdi>{missingFields.map(({ label }) => label).join(", ")}</bdi>}
        </Fact>
        <Fact name="Valid until">
          <Time at={validUntil} />
        </Fact>
      </Facts>
    </Section>
  );
}
