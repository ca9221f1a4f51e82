import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf } from "../../components/paged-list.tsx";
import { Time } from "../../components/time.tsx";
import { type WebhookRowFragment, WebhooksDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { EVENT_LABELS } from "./event-labels.ts";
import { webhookPath } from "./webhook-path.ts";
import { WebhookState } from "./webhook-state.tsx";

/** Webhooks of the account. */
export default function WebhooksPage() {
  const list = useReading({ query: WebhooksDocument }, ({ viewer }) =>
    viewer?.webhooks ? nodesOf(viewer.webhooks) : undefined,
  );
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <PageTitle
        aside={
          <Button look="primary" onClick={() => setIsCreating(true)}>
            New webhook
          </Button>
        }
      >
        Webhooks
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        Webhooks send signed account events to your programs. Failed deliveries are retried for three days, and events
        can be replayed for 30 days.
      </p>
      <ListOf
        list={list}
        awaited={{ count: 2, className: "h-20" }}
        empty="No webhooks yet. Create a webhook to receive account events."
      >
        {(rows) => (
          <Table caption="Webhooks, newest first" columns={["URL", "Events", "Status"]}>
            {rows.map((webhook) => (
              <WebhookEntry key={webhook.id} webhook={webhook} />
            ))}
          </Table>
        )}
      </ListOf>
      {isCreating && <CreateWebhookDialog onClose={() => setIsCreating(false)} onCreated={list.again} />}
    </>
  );
}

function WebhookEntry({ webhook }: { readonly webhook: WebhookRowFragment }) {
  const { webhookId, url, description, eventTypes, createdAt } = webhook;
  return (
    <Row>
      <Cell className="md:max-w-96">
        <Link
          href={webhookPath(webhookId)}
          className="font-mono text-small break-all text-leather underline underline-offset-3"
        >
          {url}
        </Link>
        <span className="block text-small text-muted">
          {description !== "" && `${description}; `}created <Time at={createdAt} />
        </span>
      </Cell>
      <Cell className="text-small md:max-w-80">
        {eventTypes.length === 0 ? "All" : eventTypes.map((type) => EVENT_LABELS[type]).join("; ")}
      </Cell>
      <Cell>
        <WebhookState webhook={webhook} />
      </Cell>
    </Row>
  );
}
