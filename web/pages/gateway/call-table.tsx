import { Badge } from "../../components/badge.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import type { GatewayCallRowFragment, GatewayCallStatus } from "../../generated/graphql.ts";

const COLUMNS = ["Date", "Model", "Tokens", "Status", "Cost"];
const STATUSES = {
  PENDING: { tone: "caution", text: "In progress" },
  COMPLETED: { tone: "good", text: "Completed" },
  ABORTED: { tone: "muted", text: "Aborted by client" },
  FAILED: { tone: "bad", text: "Failed" },
} as const;
const count = new Intl.NumberFormat("en-US");

export function CallTable({
  rows,
  isStale,
}: {
  readonly rows: readonly GatewayCallRowFragment[];
  readonly isStale: boolean;
}) {
  return (
    <div aria-busy={isStale}>
      <Table caption="Calls, newest first" columns={COLUMNS}>
        {rows.map((row) => (
          <Call key={row.id} row={row} />
        ))}
      </Table>
    </div>
  );
}

function Call({ row }: { readonly row: GatewayCallRowFragment }) {
  const { createdAt, model, provider, promptTokens, completionTokens, status, errorCode } = row;
  const { tone, text } = STATUSES[status];
  return (
    <Row className="max-md:grid-cols-[minmax(0,1fr)_auto]">
      <Cell className="max-md:order-5 max-md:text-right max-md:text-small md:w-40">
        <Time at={createdAt} withDate />
      </Cell>
      <Cell className="max-md:order-1 md:max-w-72">
        <span className="block font-medium break-words">{model}</span>
        <span className="block text-small text-muted">
          {providerText(provider, status)}
          {row.isStreamed && ", streamed"}
        </span>
      </Cell>
      <Cell className="text-small max-md:order-3 max-md:col-span-2 max-md:text-muted">
        {promptTokens == null ? (
          <span className="max-md:hidden">–</span>
        ) : (
          <>
            <span className="figures md:block">{count.format(promptTokens)} in</span>
            <span className="md:hidden">, </span>
            <span className="figures md:block">{count.format(completionTokens ?? 0)} out</span>
          </>
        )}
      </Cell>
      <Cell className="max-md:order-4">
        <Badge tone={tone}>{text}</Badge>
        {errorCode && <code className="block font-mono text-small text-muted">{errorCode.toLowerCase()}</code>}
      </Cell>
      <Cell className="max-md:order-2 max-md:text-right">
        <Cost row={row} />
      </Cell>
    </Row>
  );
}

function providerText(provider: string | null | undefined, status: GatewayCallStatus): string {
  if (provider == null) return status === "PENDING" ? "no provider yet" : "no provider";
  return status === "COMPLETED" || status === "ABORTED" ? `via ${provider}` : `last tried: ${provider}`;
}

/** Cost of a call. While the call is pending, the reserved maximum. */
function Cost({ row: { costUsd, reservedUsd, status } }: { readonly row: GatewayCallRowFragment }) {
  if (costUsd != null) return <Money amount={costUsd} className="font-semibold" />;
  if (status !== "PENDING") return <span className="text-muted">–</span>;
  return (
    <>
      <span className="text-muted">up to </span>
      <Money amount={reservedUsd} />
    </>
  );
}
