import { Badge } from "../../components/badge.tsx";
import type { WebhookRowFragment } from "../../generated/graphql.ts";

const REASONS = {
  PERSON: "Turned off",
  FAILING: "Turned off: it took nothing for five days",
  GONE: "Turned off: it wants no more events",
} as const;

export function WebhookState({ webhook }: { readonly webhook: WebhookRowFragment }) {
  const { isEnabled, disabledReason, failingSince } = webhook;
  if (!isEnabled) {
    return <Badge tone={disabledReason === "PERSON" ? "muted" : "bad"}>{REASONS[disabledReason ?? "PERSON"]}</Badge>;
  }
  return failingSince ? <Badge tone="caution">Failing</Badge> : <Badge tone="good">On</Badge>;
}
