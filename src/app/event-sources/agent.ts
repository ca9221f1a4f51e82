/** Event sources of agents and their mail. */
import type { AgentEventData, MailEventData } from "../../events/event-data.ts";
import { defineSource, type SourceRow } from "../../events/event-source.ts";

/** The columns of a message that its events contain. */
export interface MailRow extends SourceRow {
  readonly id: string;
  readonly thread_id: string;
  readonly direction: string;
  readonly status: string;
  readonly from_address: string;
  readonly from_name: string;
  readonly to_addresses: readonly string[];
  readonly cc_addresses: readonly string[];
  readonly subject: string;
  readonly automated: string | null;
  readonly spf_result: string | null;
  readonly dkim_result: string | null;
  readonly dmarc_result: string | null;
  readonly size_bytes: number;
  readonly failure_reason: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
}

/** The columns of `MailRow`, of a message `m`. */
export const MAIL_COLUMNS = `m.id, m.thread_id, m.direction, m.status, m.from_address, m.from_name, m.to_addresses, m.cc_addresses,
      m.subject, m.automated, m.spf_result, m.dkim_result, m.dmarc_result, m.size_bytes, m.failure_reason, m.created_at, m.sent_at`;

/**
 * Received messages and the outcomes of sent ones. Events do not contain the text; clients read it by the message id.
 */
export const mailEvents = defineSource<MailRow, MailEventData>({
  name: "mail",
  channel: "mail",
  // Events derive from timestamps as well as the status, because a bounced message was sent before.
  sql: `SELECT m.account_id, m.id AS row_id, m.id AS subject_id, moment.type, moment.occurred_at, m.updated_at,
      ${MAIL_COLUMNS}
    FROM mail_messages m CROSS JOIN LATERAL (VALUES
      ('mail.received', CASE WHEN m.direction = 'inbound' THEN m.created_at END),
      ('mail.sent', CASE WHEN m.direction = 'outbound' THEN m.sent_at END),
      ('mail.failed', CASE WHEN m.direction = 'outbound' AND m.status = 'failed' THEN m.updated_at END),
      ('mail.bounced', CASE WHEN m.direction = 'outbound' AND m.status = 'bounced' THEN m.updated_at END)
    ) AS moment (type, occurred_at) WHERE moment.occurred_at IS NOT NULL`,
  dataOf: toMailEventData,
});

export function toMailEventData(row: MailRow): MailEventData {
  return {
    id: row.id,
    threadId: row.thread_id,
    direction: row.direction,
    status: row.status,
    from: row.from_address,
    fromName: row.from_name,
    to: row.to_addresses,
    cc: row.cc_addresses,
    subject: row.subject,
    ...(row.direction === "inbound"
      ? {
          automated: row.automated,
          authentication: { spf: row.spf_result, dkim: row.dkim_result, dmarc: row.dmarc_result },
        }
      : { sentAt: row.sent_at?.toISOString() ?? null, failureReason: row.failure_reason }),
    sizeBytes: row.size_bytes,
    createdAt: row.created_at.toISOString(),
  };
}

interface AgentRow extends SourceRow {
  readonly id: string;
  readonly status: string;
  readonly agent_id: bigint | null;
  readonly network: string;
  readonly registry_address: string;
  readonly registered_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_reason: string | null;
}

/** The registration of an agent, and each of its revocations. */
export const agentEvents = defineSource<AgentRow, AgentEventData>({
  name: "agents",
  channel: "agent",
  sql: `SELECT a.account_id, a.id AS row_id, moment.subject_id, moment.type, moment.occurred_at, a.updated_at,
      a.id, a.status, a.agent_id, a.network, a.registry_address, a.registered_at, a.revoked_at, a.revoked_reason
    FROM agents a CROSS JOIN LATERAL (VALUES
      ('agent.registered', a.id, a.registered_at),
      ('agent.revoked', a.id || '@' || (extract(epoch FROM a.revoked_at) * 1000)::bigint, a.revoked_at)
    ) AS moment (type, subject_id, occurred_at) WHERE moment.occurred_at IS NOT NULL`,
  dataOf: (row) => ({
    agentRecordId: row.id,
    agentId: row.agent_id === null ? null : Number(row.agent_id),
    status: row.status,
    network: row.network,
    registry: row.registry_address,
    registeredAt: row.registered_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedReason: row.revoked_reason,
  }),
});
