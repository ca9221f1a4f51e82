import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { ConnectedAppsDocument } from "../../generated/graphql.ts";
import { ConnectedApp } from "./connected-app.tsx";
import { PurchaseTokens } from "./purchase-tokens.tsx";

/** Whoever was allowed to act for this account: what they may, what they spent, and the way to end it. */
export default function AppsPage() {
  const list = usePagedList(ConnectedAppsDocument, {}, ({ viewer }) => viewer?.connectedApps, { size: 10 });
  const networks = list.data?.viewer?.wallet.networks ?? [];
  return (
    <>
      <PageTitle>Apps</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Apps you allowed to act for you. Their limits hold beside your account’s own; disconnecting works at once.
      </p>
      <div className="mt-6">
        <ListOf
          list={list}
          awaited={{ count: 3, className: "h-32" }}
          empty="No app is connected. When one asks you for permission and you allow it, it appears here."
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
