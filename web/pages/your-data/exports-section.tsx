import { Badge } from "../../components/badge.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { DateTime, Time } from "../../components/time.tsx";
import {
  AccountExportProgressDocument,
  type AccountExportRowFragment,
  RequestAccountExportDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

/** Exports of the account with their progress. */
export function ExportsSection({
  account,
  exports,
  onChanged,
}: {
  readonly account: { readonly id: string; readonly email: string | null };
  readonly exports: readonly AccountExportRowFragment[];
  readonly onChanged: () => void;
}) {
  const request = useOperation(RequestAccountExportDocument);
  const proof = useProof(account, "an export contains everything in your account");
  // The client's cache replaces the row, except of an export that another page requested.
  useResumableSubscription(AccountExportProgressDocument, {
    onEvent({ accountExportUpdated: { cursor, accountExport } }) {
      const isShown = exports.some(({ id, status }) => id === accountExport.id && status === accountExport.status);
      if (!isShown) onChanged();
      return cursor;
    },
    onLost: onChanged,
  });
  async function start() {
    const { value, error } = await request.run({});
    if (value) onChanged();
    else if (needsProof(error)) proof.request(() => void start());
  }
  return (
    <Section
      title="Export"
      hint="An archive with all data of your account, the attachments of your mailbox and the evidence of your orders. Secrets are not included."
      aside={
        <Button size="small" isBusy={request.isRunning} onClick={() => void start()}>
          Export data
        </Button>
      }
    >
      <FailureNotice failure={needsProof(request.failure) ? null : request.failure} />
      {exports.length === 0 && <Empty>No exports yet. Export your data to download it here.</Empty>}
      {exports.length > 0 && (
        <Table caption="Exports, newest first" columns={["Export", "Status", ""]}>
          {exports.map((row) => (
            <Row key={row.id}>
              <Cell>
                <Time at={row.createdAt} withDate />
                {row.expiresAt && (
                  <span className="block text-small text-muted">
                    Expires <DateTime at={row.expiresAt} />
                  </span>
                )}
              </Cell>
              <Cell>
                <ExportStatus row={row} />
              </Cell>
              <Cell>
                {row.downloadUrl !== null && (
                  <a className={buttonClass("plain", "small")} href={new URL(row.downloadUrl).pathname}>
                    Download
                  </a>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {proof.dialog}
    </Section>
  );
}

function ExportStatus({ row: { status, rowsDone, rowsTotal, sizeBytes } }: { readonly row: AccountExportRowFragment }) {
  if (status === "COMPLETED") return <Badge tone="good">Completed, {formatSize(sizeBytes ?? 0)}</Badge>;
  if (status === "FAILED") return <Badge tone="bad">Failed. Export again.</Badge>;
  return (
    <span role="status">
      <Badge tone="caution">
        {rowsTotal === null ? "Waiting" : `Writing ${rowsDone.toLocaleString()} of ${rowsTotal.toLocaleString()} rows`}
      </Badge>
    </span>
  );
}

/** Returns a size in the largest unit of at least one: "640 kB", "1.2 MB". */
function formatSize(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString(undefined, { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
}
