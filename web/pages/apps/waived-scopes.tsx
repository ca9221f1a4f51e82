import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type ConnectedAppFragment, UpdateGrantLimitsDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { describeScopes } from "./scope-labels.ts";

/** What a connected app can do beyond its permissions, with a button that ends it. Nothing if its scopes are enforced. */
export function WaivedScopes({ app }: { readonly app: ConnectedAppFragment }) {
  const update = useOperation(UpdateGrantLimitsDocument);
  const toast = useToast();
  const { appName } = app.client;
  if (app.waivedScopes.length === 0) return null;
  async function enforce() {
    const { value } = await update.run({ input: { id: app.id, strictScopes: true } });
    if (value) toast(`${appName} is limited to its permissions.`);
  }
  return (
    <div className="mt-3">
      <Notice tone="caution" title="More than its permissions">
        <p>{describeScopes(app.waivedScopes, "Can also")}.</p>
        <div className="mt-2">
          <Button
            size="small"
            isBusy={update.isRunning}
            aria-label={`Limit to its permissions: ${appName}`}
            onClick={() => void enforce()}
          >
            Limit to its permissions
          </Button>
        </div>
        <FailureNotice failure={update.failure} />
      </Notice>
    </div>
  );
}
