import { Badge } from "../../components/badge.tsx";
import type { WebhookRowFragment } from "../../generated/graphql.ts";

const REASONS = {
  PERSON: "Disabled",
  FAILING: "Disabled after five days of failures",
  GONE: "Disabled: the endpoint responded with 410 Gone",
} as const;

export function WebhookState({ webhook }: { readonly webhook: WebhookRowFragment }) {
  const { isEnabled, disabledReason, failingSince } = webhook;
  if (!isEnabled) {
    return <Badge tone={disabledReason === "PERSON" ? "muted" : "bad"}>{REASONS[disabledReason ?? "PERSON"]}</Badge>;
  }
  return failingSince ? <Badge tone="caution">Failing</Badge> : <Badge tone="good">Enabled</Badge>;
}
