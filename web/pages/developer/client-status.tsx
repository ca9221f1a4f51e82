import { Badge } from "../../components/badge.tsx";
import type { OAuthClientStatus } from "../../generated/graphql.ts";

const STATUSES = {
  PENDING_APPROVAL: { tone: "caution", text: "Pending approval" },
  APPROVED: { tone: "good", text: "Approved" },
  REJECTED: { tone: "bad", text: "Rejected" },
  REVOKED: { tone: "bad", text: "Revoked" },
} as const;

export const statusText = (status: OAuthClientStatus) => STATUSES[status].text;

export function ClientStatusBadge({ status }: { readonly status: OAuthClientStatus }) {
  const { tone, text } = STATUSES[status];
  return <Badge tone={tone}>{text}</Badge>;
}
