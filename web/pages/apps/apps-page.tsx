import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { ConnectedAppsDocument } from "../../generated/graphql.ts";
import { ConnectedApp } from "./connected-app.tsx";
import { PurchaseTokens } from "./purchase-tokens.tsx";

/** Apps connected to the account, with their limits and spending. */
export default function AppsPage() {
  const list = usePagedList(ConnectedAppsDocument, {}, ({ viewer }) => viewer?.connectedApps, { size: 10 });
  const networks = list.data?.viewer?.wallet.networks ?? [];
  return (
    <>
      <PageTitle>Apps</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Apps that can access your account. App limits apply in addition to your account limits. You can disconnect an
        app at any time.
      </p>
      <div className="mt-6">
        <ListOf
          list={list}
          awaited={{ count: 3, className: "h-32" }}
          empty="No connected apps yet. An app appears here after you allow its request."
        >
          {(apps) => (
            <ul className="grid gap-4">
              {apps.map((app) => (
                <ConnectedApp key={app.id} app={app} networks={networks} />
              ))}
            </ul>
          )}
        </ListOf>
      </div>
      <PurchaseTokens />
    </>
  );
}
