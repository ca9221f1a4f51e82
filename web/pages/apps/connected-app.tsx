import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CardBudgetSpending } from "../../components/card-budget-spending.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { LimitSpending } from "../../components/limit-spending.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type ConnectedAppFragment, DisconnectAppDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { ChangeLimits } from "./change-limits.tsx";
import { describeScopes } from "./scope-labels.ts";
import { WaivedScopes } from "./waived-scopes.tsx";

/** One connected or disconnected app. */
export function ConnectedApp({
  app,
  networks,
}: {
  readonly app: ConnectedAppFragment;
  readonly networks: readonly string[];
}) {
  const [openDialog, setOpenDialog] = useState<"limits" | "disconnect" | null>(null);
  const disconnect = useOperation(DisconnectAppDocument);
  const toast = useToast();
  const { appName, redirectHost, supportEmail, isOwn, documentHost } = app.client;
  const isConnected = app.revokedAt === null || app.revokedAt === undefined;
  const close = () => {
    setOpenDialog(null);
    disconnect.clear();
  };
  async function disconnectApp() {
    const { value } = await disconnect.run({ id: app.id });
    if (!value) return;
    close();
    toast(`${appName} is disconnected. Its tokens no longer work.`);
  }
  return (
    <li className="rounded-lg border border-line p-5" aria-label={appName}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 className="text-lead font-semibold">{appName}</h2>
        {isConnected ? <Badge tone="good">Connected</Badge> : <Badge tone="muted">Disconnected</Badge>}
      </div>
      <p className="text-small text-muted">
        {isOwn ? "Official Satchel app" : (documentHost ?? redirectHost ?? "App on a device")}
        {supportEmail && `, help: ${supportEmail}`}
      </p>
      <p className="mt-2">
        {describeScopes(app.scopes)}
        {isConnected && `, on ${app.networks.join(", ")}`}.
      </p>
      {isConnected && <WaivedScopes app={app} />}
      {isConnected && (
        <div className="mt-4">
          <LimitSpending spending={app.spending} />
          <CardBudgetSpending budget={app.cardBudget} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-small text-muted">
          Connected <Time at={app.createdAt} />
          {app.lastUsedAt ? (
            <>
              , last used <Time at={app.lastUsedAt} />
            </>
          ) : (
            ", never used"
          )}
          {app.revokedAt && (
            <>
              , disconnected <Time at={app.revokedAt} />
            </>
          )}
        </p>
        {isConnected && (
          <div className="flex gap-3">
            <Button size="small" aria-label={`Change limits of ${appName}`} onClick={() => setOpenDialog("limits")}>
              Change limits
            </Button>
            <Button
              size="small"
              look="danger"
              aria-label={`Disconnect ${appName}`}
              onClick={() => setOpenDialog("disconnect")}
            >
              Disconnect
            </Button>
          </div>
        )}
      </div>
      {openDialog === "limits" && <ChangeLimits app={app} networks={networks} onClose={close} />}
      <ConfirmDialog
        title={`Disconnect ${appName}?`}
        description="All its tokens are revoked immediately. Payments already signed may still settle. The app can request access again."
        confirmText="Disconnect"
        isOpen={openDialog === "disconnect"}
        isBusy={disconnect.isRunning}
        onClose={close}
        onConfirm={() => void disconnectApp()}
      >
        <FailureNotice failure={disconnect.failure} />
      </ConfirmDialog>
    </li>
  );
}
