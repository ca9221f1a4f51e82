import { useState } from "react";
import { useQuery } from "urql";
import { Link, useLocation } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  DeleteWebhookDocument,
  UpdateWebhookDocument,
  WebhookDetailsDocument,
  type WebhookRowFragment,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { Deliveries } from "./deliveries.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import { EVENT_LABELS } from "./event-labels.ts";
import { RotateSecret } from "./webhook-secret.tsx";
import { WebhookState } from "./webhook-state.tsx";

/** One webhook with its settings and deliveries. */
export default function WebhookPage({ params: { webhookId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: WebhookDetailsDocument,
    variables: { id: webhookId },
    requestPolicy: "cache-and-network",
  });
  const again = () => refresh({ requestPolicy: "network-only" });
  const webhook = data?.webhook;
  if (webhook) return <WebhookDetails webhook={webhook} onChanged={again} />;
  if (fetching) return <PageSkeleton />;
  const failure = error?.networkError && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>{failure ? "Webhook" : "Webhook not found"}</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <p className="mt-2">
        <Link href={PATHS.webhooks} className="text-leather underline underline-offset-3">
          View all webhooks
        </Link>
      </p>
    </>
  );
}

function WebhookDetails({
  webhook,
  onChanged,
}: {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}) {
  const { id, url, description, eventTypes, isEnabled, failingSince, createdAt } = webhook;
  const update = useOperation(UpdateWebhookDocument);
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  return (
    <>
      <Link href={PATHS.webhooks} className="text-small text-leather underline underline-offset-3">
        Webhooks
      </Link>
      <PageTitle aside={<WebhookState webhook={webhook} />}>{description || new URL(url).host}</PageTitle>
      <div className="mt-4 grid gap-4">
        {!isEnabled && (
          <Notice tone="caution" title="Webhook disabled">
            <p>Enable the webhook once its endpoint works again. You can replay missed events below.</p>
          </Notice>
        )}
        {isEnabled && failingSince && (
          <Notice tone="caution" title="Deliveries failing">
            <p>
              All attempts have failed since <Time at={failingSince} />. After five days of failures, Satchel disables
              the webhook.
            </p>
          </Notice>
        )}
        <Facts>
          <Fact name="URL">
            <code className="font-mono text-small break-all">{url}</code>
          </Fact>
          <Fact name="Events">
            {eventTypes.length === 0 ? "All" : eventTypes.map((type) => EVENT_LABELS[type]).join("; ")}
          </Fact>
          <Fact name="Created">
            <Time at={createdAt} />
          </Fact>
        </Facts>
        <FailureNotice failure={update.failure} />
        <div className="flex flex-wrap gap-3">
          <Button size="small" onClick={() => setOpen("edit")}>
            Edit
          </Button>
          <Button
            size="small"
            isBusy={update.isRunning}
            onClick={() => void update.run({ input: { id, isEnabled: !isEnabled } }).then(onChanged)}
          >
            {isEnabled ? "Disable" : "Enable"}
          </Button>
          <RotateSecret id={id} />
          <Button size="small" look="danger" onClick={() => setOpen("remove")}>
            Remove
          </Button>
        </div>
      </div>
      <Deliveries webhook={webhook} onChanged={onChanged} />
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={() => setOpen(null)} onChanged={onChanged} />}
      {open === "remove" && <RemoveDialog webhook={webhook} onClose={() => setOpen(null)} />}
    </>
  );
}

function RemoveDialog({ webhook, onClose }: { readonly webhook: WebhookRowFragment; readonly onClose: () => void }) {
  const remove = useOperation(DeleteWebhookDocument);
  const toast = useToast();
  const [, navigate] = useLocation();
  async function confirm() {
    const { value } = await remove.run({ input: { id: webhook.id } });
    if (!value) return;
    toast("Webhook removed.");
    navigate(PATHS.webhooks);
  }
  return (
    <ConfirmDialog
      isOpen
      title="Remove webhook?"
      description="The webhook receives no more events and its deliveries are deleted. This cannot be undone."
      confirmText="Remove webhook"
      isBusy={remove.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={remove.failure} />
    </ConfirmDialog>
  );
}
