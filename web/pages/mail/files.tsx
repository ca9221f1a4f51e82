import { Button } from "../../components/button.tsx";
import type { MailFileFragment } from "../../generated/graphql.ts";
import { fileSize } from "./mail-labels.ts";

/** Attachments of a message, as downloads. The page opens none of them. */
export function Files({ files }: { readonly files: readonly MailFileFragment[] }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-2">
      {files.map(({ id, attachmentId, filename, sizeBytes }) => (
        <li key={id} className="min-w-0">
          <a
            href={`/api/agent/email/attachments/${attachmentId}`}
            download={filename}
            className="flex min-h-8 min-w-0 items-center gap-2 rounded-md border border-line px-3 text-small hover:bg-soft"
          >
            <span className="min-w-0 truncate text-leather underline underline-offset-3">{filename}</span>
            <span className="figures shrink-0 text-muted">{fileSize(sizeBytes)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Attachments of an email form. */
export function ChosenFiles({
  files,
  onRemove,
}: {
  readonly files: readonly Pick<MailFileFragment, "attachmentId" | "filename" | "sizeBytes">[];
  readonly onRemove: (attachmentId: string) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="divide-y divide-line border-y border-line">
      {files.map(({ attachmentId, filename, sizeBytes }) => (
        <li key={attachmentId} className="flex items-center gap-3 py-1">
          <span className="min-w-0 flex-1 truncate">{filename}</span>
          <span className="figures text-small text-muted">{fileSize(sizeBytes)}</span>
          <Button look="quiet" size="small" aria-label={`Remove ${filename}`} onClick={() => onRemove(attachmentId)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
