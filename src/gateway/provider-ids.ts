/**
 * Ids of objects that providers store, such as the audio of a response. The operator's key serves all accounts, so an id is passed on
 * only for the account in whose response the provider returned it.
 */
import { createHash } from "node:crypto";
import type { Database, Statement } from "../platform/database/connection.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { deleteRows, type RetentionRule } from "../platform/retention/rule.ts";
import type { ChatBody } from "./chat-request.ts";

const RECORD: Statement = {
  name: "record-provider-ids",
  text: `INSERT INTO gateway_provider_ids (account_id, id_hash) SELECT $1::uuid, unnest($2::bytea[])
    ON CONFLICT (account_id, id_hash) DO UPDATE SET created_at = now()`,
};
const FIND: Statement = {
  name: "find-provider-ids",
  text: "SELECT id_hash FROM gateway_provider_ids WHERE account_id = $1::uuid AND id_hash = ANY($2::bytea[])",
};

const hash = (id: string): Buffer => createHash("sha256").update(id).digest();

/** Returns the ids of a body, with the field that contains each. */
function listIds({ messages }: ChatBody): { readonly id: string; readonly field: string }[] {
  return messages.flatMap(({ content, audio }, index) => {
    const ids = [{ id: (audio as { id?: unknown } | null | undefined)?.id, field: `messages[${index}].audio.id` }];
    for (const [position, part] of Array.isArray(content) ? content.entries() : []) {
      const { file } = part as { file?: { file_id?: unknown } | null };
      ids.push({ id: file?.file_id, field: `messages[${index}].content[${position}].file.file_id` });
    }
    return ids.flatMap(({ id, field }) => (typeof id === "string" ? [{ id, field }] : []));
  });
}

/** @throws {InvalidRequestError} if the body names a provider's object that this account did not receive */
export async function assertOwnIds(db: Database, accountId: string, body: ChatBody): Promise<void> {
  const ids = listIds(body);
  if (ids.length === 0) return;
  const rows = await db.query<{ id_hash: Uint8Array }>(FIND, [accountId, ids.map(({ id }) => hash(id))]);
  const known = new Set(rows.map((row) => Buffer.from(row.id_hash).toString("hex")));
  const foreign = ids.find(({ id }) => !known.has(hash(id).toString("hex")));
  if (!foreign) return;
  throw new InvalidRequestError(
    `${foreign.field} names nothing that this account received from a provider. Nothing was sent or paid. Send the content itself.`,
    foreign.field,
  );
}

/** Records the ids in a provider's response. */
export async function recordIds(db: Database, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.query(RECORD, [accountId, [...new Set(ids)].map(hash)]);
}

/** Returns the id of the audio in a message or delta, in a list; providers store it for later requests. */
export function listAudioIds(output: unknown): string[] {
  const { audio } = (output ?? {}) as { audio?: { id?: unknown } | null };
  return typeof audio?.id === "string" ? [audio.id] : [];
}

const DAYS = 30;

export const GATEWAY_RETENTION: readonly RetentionRule[] = [
  {
    ...deleteRows({
      name: "gateway-provider-ids",
      table: "gateway_provider_ids",
      key: ["account_id", "id_hash"],
      time: "created_at",
    }),
    data: "Hash of the id of an object at a model's provider, such as the audio of a response",
    since: "response",
    period: { seconds: DAYS * 86_400 },
  },
];
