/** Files of an account's export: the rows of each table as JSON Lines, attachments, evidence and delivery addresses. */
import { openDeliveryAddress } from "../../checkout/orders/delivery-address.ts";
import { readAttachmentContent, type StoredContentDeps } from "../../mail/attachments.ts";
import { createMailVault } from "../../mail/mail-vault.ts";
import { readRawMessage } from "../../mail/raw-message.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { PersonalDataDeps } from "../deps.ts";
import { PLAN } from "../plan.ts";
import type { TablePlan } from "../table-plan.ts";
import { type Columns, readPages } from "../table-rows.ts";
import type { ArchiveEntry } from "./tar.ts";

/** A table's rows are split into files of about this size, because an entry's size precedes its content. */
const MAX_LINES_BYTES = 4 * 1024 * 1024;
const FILES_PAGE = 200;

const README = `Export of a Satchel account.

The folder tables has one file per table in JSON Lines, with one JSON object per row. Large tables have further files, such as transactions-2.jsonl.

The folder attachments has the files of the mailbox, named by the id in tables/mail_attachments.jsonl.

The folder messages has received messages as they arrived, named by the id in tables/mail_messages.jsonl.

The folder evidence has screenshots and other evidence of orders, named by the id in tables/checkout_artifacts.jsonl.

The folder addresses has delivery addresses, named by the id in tables/checkout_orders.jsonl.

Private keys, card numbers, secrets and their hashes are not included.
`;

const ATTACHMENTS: Statement = {
  name: "export-attachments",
  text: `SELECT id, size_bytes AS "sizeBytes" FROM mail_attachments
    WHERE account_id = $1::uuid AND size_bytes >= 0 AND id > $2 ORDER BY id LIMIT ${FILES_PAGE}`,
};
const RAW_MESSAGES: Statement = {
  name: "export-raw-messages",
  text: `SELECT id, size_bytes AS "sizeBytes" FROM mail_messages
    WHERE account_id = $1::uuid AND parser_version IS NOT NULL AND id > $2 ORDER BY id LIMIT ${FILES_PAGE}`,
};
const ARTIFACTS: Statement = {
  name: "export-artifacts",
  text: `SELECT a.id, a.content_type AS "contentType" FROM checkout_artifacts a JOIN checkout_orders o ON o.id = a.order_id
    WHERE o.account_id = $1::uuid AND a.id > $2 ORDER BY a.id LIMIT ${FILES_PAGE}`,
};
const ARTIFACT: Statement = { name: "export-artifact", text: "SELECT bytes FROM checkout_artifacts WHERE id = $1" };

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/json": "har",
  "text/html": "html",
};

export interface ExportProgress {
  /** Called with the number of rows that were written since the last call. */
  readonly onRows: (count: number) => Promise<void>;
}

/** Yields the files of the export. Each row and each file counts as progress. */
export async function* readEntries(
  deps: Pick<PersonalDataDeps, "db" | "keks">,
  accountId: string,
  columns: Columns,
  { onRows }: ExportProgress,
): AsyncGenerator<ArchiveEntry> {
  yield textEntry("README.txt", README);
  for (const plan of PLAN) {
    if (plan.exported.length > 0) yield* readTable(deps.db, plan, accountId, columns, onRows);
  }
  const content = { db: deps.db, mailVault: createMailVault(deps.db, deps.keks) };
  yield* readAttachments(content, accountId);
  yield* readRawMessages(content, accountId);
  yield* readEvidence(deps.db, accountId);
  yield* readAddresses(deps, accountId);
}

async function* readTable(
  db: Database,
  plan: TablePlan,
  accountId: string,
  columns: Columns,
  onRows: ExportProgress["onRows"],
): AsyncGenerator<ArchiveEntry> {
  let file = 0;
  let lines: string[] = [];
  let bytes = 0;
  const flush = () => {
    file += 1;
    const entry = textEntry(`tables/${plan.table}${file === 1 ? "" : `-${file}`}.jsonl`, lines.join(""));
    lines = [];
    bytes = 0;
    return entry;
  };
  for await (const { rows } of readPages(db, plan, columns.get(plan.table) ?? [], accountId)) {
    for (const row of rows) {
      const line = `${row}\n`;
      lines.push(line);
      bytes += line.length;
      if (bytes >= MAX_LINES_BYTES) yield flush();
    }
    await onRows(rows.length);
  }
  if (lines.length > 0 || file === 0) yield flush();
}

async function* readAttachments(deps: StoredContentDeps, accountId: string): AsyncGenerator<ArchiveEntry> {
  for (let after = ""; ; ) {
    const files = await deps.db.query<{ id: string; sizeBytes: number }>(ATTACHMENTS, [accountId, after]);
    for (const { id, sizeBytes } of files) {
      yield { name: `attachments/${id}`, sizeBytes, bytes: readAttachmentContent(deps, { id, accountId }) };
    }
    const last = files.at(-1);
    if (!last || files.length < FILES_PAGE) return;
    after = last.id;
  }
}

async function* readRawMessages(deps: StoredContentDeps, accountId: string): AsyncGenerator<ArchiveEntry> {
  for (let after = ""; ; ) {
    const files = await deps.db.query<{ id: string; sizeBytes: number }>(RAW_MESSAGES, [accountId, after]);
    for (const { id, sizeBytes } of files) {
      yield { name: `messages/${id}.eml`, sizeBytes, bytes: readRawMessage(deps, { id, accountId, sizeBytes }) };
    }
    const last = files.at(-1);
    if (!last || files.length < FILES_PAGE) return;
    after = last.id;
  }
}

async function* readEvidence(db: Database, accountId: string): AsyncGenerator<ArchiveEntry> {
  for (let after = ""; ; ) {
    const files = await db.query<{ id: string; contentType: string }>(ARTIFACTS, [accountId, after]);
    for (const { id, contentType } of files) {
      const [artifact] = await db.query<{ bytes: Uint8Array }>(ARTIFACT, [id]);
      if (artifact) yield bytesEntry(`evidence/${id}.${EXTENSIONS[contentType] ?? "bin"}`, artifact.bytes);
    }
    const last = files.at(-1);
    if (!last || files.length < FILES_PAGE) return;
    after = last.id;
  }
}

async function* readAddresses(
  { db, keks }: Pick<PersonalDataDeps, "db" | "keks">,
  accountId: string,
): AsyncGenerator<ArchiveEntry> {
  const select = { id: true, accountId: true, sealedShipTo: true, wrappedDataKey: true, kekId: true } as const;
  for (let after = ""; ; ) {
    const where = { accountId, sealedShipTo: { not: null }, id: { gt: after } };
    const orders = await db.prisma.checkoutOrder.findMany({ where, select, orderBy: { id: "asc" }, take: FILES_PAGE });
    for (const order of orders) {
      const address = await openDeliveryAddress(keks, order);
      if (address) yield textEntry(`addresses/${order.id}.json`, `${JSON.stringify(address)}\n`);
    }
    const last = orders.at(-1);
    if (!last || orders.length < FILES_PAGE) return;
    after = last.id;
  }
}

function textEntry(name: string, text: string): ArchiveEntry {
  return bytesEntry(name, Buffer.from(text));
}

function bytesEntry(name: string, bytes: Uint8Array): ArchiveEntry {
  return { name, sizeBytes: bytes.length, bytes: [bytes] };
}
