import {
  countDue,
  type DueRows,
  deleteRows,
  findOldest,
  type RetentionRule,
  selectDue,
} from "../platform/retention/rule.ts";
import { ERASED_PAYLOAD, MAIL_EVENT_TYPES, RECIPIENT_EVENT_TYPES } from "./erase-mail-events.ts";

const DAY_SECONDS = 86_400;
/** Retention of messages (spec section 8). */
const MAIL_SECONDS = 30 * DAY_SECONDS;

const MESSAGES: DueRows = {
  name: "mail-messages",
  table: "mail_messages",
  key: ["id"],
  time: "created_at",
  // A queued message waits for its delivery, which a freeze delays. It is due when it was sent or has failed.
  where: "status <> 'queued'",
};
/** Events are recorded soon after a change, so only recent ones can have missed the deletion of their message. */
const ORPHANED_EVENTS: DueRows = {
  name: "deleted-mail-events",
  table: "account_events",
  key: ["id"],
  time: "recorded_at",
  where: `recorded_at > now() - interval '1 day' AND type = ANY(${MAIL_EVENT_TYPES} || ${RECIPIENT_EVENT_TYPES})
    AND NOT jsonb_exists(payload, 'isDeleted') AND NOT EXISTS (SELECT FROM mail_messages m WHERE m.id = payload ->> 'id')`,
};

export const MAIL_RETENTION: readonly RetentionRule[] = [
  {
    ...MESSAGES,
    removes: "row",
    remove: {
      name: "retention-mail-messages",
      text: `WITH ${selectDue(MESSAGES, ["account_id"])}, erased AS (
          UPDATE account_events e SET payload = ${ERASED_PAYLOAD} FROM due
          WHERE e.account_id = due.account_id AND e.type = ANY(${MAIL_EVENT_TYPES}) AND e.subject_id = due.id
        ), erased_recipients AS (
          UPDATE account_events e SET payload = ${ERASED_PAYLOAD} FROM due JOIN mail_deliveries d ON d.message_id = due.id
          WHERE e.account_id = due.account_id AND e.type = ANY(${RECIPIENT_EVENT_TYPES}) AND e.subject_id = d.id
        ), deleted AS (DELETE FROM mail_messages t USING due WHERE t.id = due.id) ${countDue(MESSAGES)}`,
    },
    oldest: findOldest(MESSAGES),
    data: "Messages with attachments, except queued ones; subject and addresses in their events",
    since: "receipt or sending",
    period: { seconds: MAIL_SECONDS },
  },
  {
    // A transaction that adds a message locks the thread and updates `last_message_at`, after which the row is no longer due.
    ...deleteRows({
      name: "mail-threads",
      table: "mail_threads",
      key: ["id"],
      time: "last_message_at",
      where: "NOT EXISTS (SELECT FROM mail_messages m WHERE m.thread_id = mail_threads.id)",
    }),
    data: "Conversations without messages",
    since: "last message",
    period: { seconds: MAIL_SECONDS },
  },
  {
    ...ORPHANED_EVENTS,
    removes: ["payload"],
    remove: {
      name: "retention-deleted-mail-events",
      text: `WITH ${selectDue(ORPHANED_EVENTS)}, erased AS (
        UPDATE account_events e SET payload = ${ERASED_PAYLOAD} FROM due WHERE e.id = due.id) ${countDue(ORPHANED_EVENTS)}`,
    },
    oldest: findOldest(ORPHANED_EVENTS),
    data: "Subject and addresses in events that were recorded while their message was deleted",
    since: "recording",
    period: { seconds: 0 },
  },
  {
    ...deleteRows({
      name: "mail-uploads",
      table: "mail_attachments",
      key: ["id"],
      time: "created_at",
      where: "message_id IS NULL AND draft_id IS NULL",
      batch: 100,
    }),
    data: "Uploaded files that no message or draft uses",
    since: "upload",
    period: { seconds: DAY_SECONDS },
  },
  {
    ...deleteRows({ name: "mail-drafts", table: "mail_drafts", key: ["id"], time: "updated_at" }),
    data: "Drafts; their attachments follow within a day",
    since: "last change",
    period: { setting: "MAIL_DRAFT_DAYS" },
  },
];
