/**
 * Ids of objects that providers store, such as the audio of a response. The operator's key serves all accounts, so an id is passed on
 * only for the account in whose response the provider returned it.
 */
import { createHash } from "node:crypto";
import type { Database, Statement } from "../platform/database/connection.ts";
import { formatPath, InvalidRequestError } from "../platform/errors.ts";
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

/** Members that name an object at a provider, in the APIs of OpenAI, Google, xAI and others. */
const ID_MEMBERS: ReadonlySet<string> = new Set([
  ...["file_id", "file_ids", "fileId", "file_uri", "fileUri", "vector_store_ids", "container", "container_id"],
  ...["previous_response_id", "conversation", "conversation_id", "cached_content", "cachedContent", "prompt", "voice"],
]);
/** Members whose content the caller defines, so that such names have no meaning in them. */
const OWN_CONTENT: ReadonlySet<string> = new Set(["function", "functions", "json_schema", "metadata", "arguments"]);

/** Members that contain content, or a URL of it. */
const CONTENT_MEMBERS: ReadonlySet<string> = new Set([
  ...["url", "uri", "image_url", "video_url", "audio_url", "file_url", "document_url", "file_data", "data"],
]);
/** A URL other than of the web or of content itself. Such as `gs:`, it names an object that the operator's credentials may read. */
const STORED_URL = /^\s*(?!https?:|data:)[a-z][a-z0-9+.-]*:/i;

interface NamedId {
  readonly id: string;
  readonly field: string;
}

/** Returns the ids of a body, with the field that contains each. */
function listIds(body: ChatBody): NamedId[] {
  const ids: NamedId[] = [];
  const add = (id: unknown, path: readonly string[]) => {
    if (typeof id === "string") ids.push({ id, field: formatPath(path) });
  };
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (OWN_CONTENT.has(name)) continue;
      const memberPath = [...path, name];
      if (ID_MEMBERS.has(name)) addNamed(name, member, memberPath);
      if (CONTENT_MEMBERS.has(name) && typeof member === "string" && STORED_URL.test(member)) add(member, memberPath);
      visit(member, memberPath);
    }
  };
  const addNamed = (name: string, value: unknown, path: readonly string[]) => {
    // A voice by its name is no object.
    if (name !== "voice" && name !== "prompt") add(value, path);
    if (Array.isArray(value)) value.forEach((id, index) => void add(id, [...path, String(index)]));
    else if (typeof value === "object" && value !== null && "id" in value) add(value.id, [...path, "id"]);
  };
  visit(body, []);
  for (const [index, { audio }] of body.messages.entries()) {
    add((audio as { id?: unknown } | null | undefined)?.id, ["messages", String(index), "audio", "id"]);
  }
  return ids;
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
