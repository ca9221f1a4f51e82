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
import { EVENT_WORDS } from "./event-words.ts";
import { RotateSecret } from "./webhook-secret.tsx";
import { WebhookState } from "./webhook-state.tsx";

/** One webhook: what it is told of, and what became of each message. */
export default function WebhookPage({ params: { webhookId = "" } }: PageProps) {
  const id = btoa(`Webhook:${webhookId}`);
  const [{ data, error, fetching }, refresh] = useQuery({
    query: WebhookDetailsDocument,
    variables: { id },
    requestPolicy: "cache-and-network",
  });
  const again = () => refresh({ requestPolicy: "network-only" });
  const node = data?.node;
  if (node?.__typename === "Webhook") return <Shown webhook={node} onChanged={again} />;
  if (fetching) return <PageSkeleton />;
  const failure = error?.networkError && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>{failure ? "Webhook" : "There is no such webhook"}</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <p className="mt-2">
        <Link href={PATHS.webhooks} className="text-leather underline underline-offset-3">
          See all webhooks
        </Link>
      </p>
    </>
  );
}

function Shown({ webhook, onChanged }: { readonly webhook: WebhookRowFragment; readonly onChanged: () => void }) {
  const { id, url, description, eventTypes, isEnabled, failingSince, createdAt } = webhook;
  const update = useOperation(UpdateWebhookDocument);
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  return (
    <>
      <Link href={PATHS.webhooks} className="text-small text-leather underline underline-offset-3">
        All webhooks
      </Link>
      <PageTitle aside={<WebhookState webhook={webhook} />}>{description || new URL(url).host}</PageTitle>
      <div className="mt-4 grid gap-4">
        {!isEnabled && (
          <Notice tone="caution" title="It is told of nothing">
            <p>Turn it on once it answers again. What happened meanwhile can be sent again below.</p>
          </Notice>
        )}
        {isEnabled && failingSince && (
          <Notice tone="caution" title="It does not answer as it should">
            <p>
              Every attempt failed since <Time at={failingSince} />. After five days of that it is turned off.
            </p>
          </Notice>
        )}
        <Facts>
          <Fact name="Address">
            <code className="font-mono text-small break-all">{url}</code>
          </Fact>
          <Fact name="Told of">
            {eventTypes.length === 0 ? "Everything" : eventTypes.map((type) => EVENT_WORDS[type]).join("; ")}
          </Fact>
          <Fact name="Made">
            <Time at={createdAt} />
          </Fact>
        </Facts>
        <FailureNotice failure={update.failure} />
        <div className="flex flex-wrap gap-3">
          <Button size="small" onClick={() => setOpen("edit")}>
            Change
          </Button>
          <Button
            size="small"
            isBusy={update.isRunning}
            onClick={() => void update.run({ input: { id, isEnabled: !isEnabled } }).then(onChanged)}
          >
            {isEnabled ? "Turn off" : "Turn on"}
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
    toast("Removed the webhook.");
    navigate(PATHS.webhooks);
  }
  return (
    <ConfirmDialog
      isOpen
      title="Remove the webhook?"
      description="It is told of nothing any more, and its deliveries are forgotten. This cannot be undone."
      confirmText="Remove the webhook"
      isBusy={remove.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={remove.failure} />
    </ConfirmDialog>
  );
}
