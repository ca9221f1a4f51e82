import { Badge } from "../../components/badge.tsx";
import type { CardStatus } from "../../generated/graphql.ts";

const STATUSES = {
  ACTIVE: { tone: "good", text: "Active" },
  EXPIRED: { tone: "bad", text: "Expired" },
  DISABLED: { tone: "muted", text: "Disabled" },
} as const satisfies Record<CardStatus, object>;

export function CardStatusBadge({ status }: { readonly status: CardStatus }) {
  const { tone, text } = STATUSES[status];
  return <Badge tone={tone}>{text}</Badge>;
}
