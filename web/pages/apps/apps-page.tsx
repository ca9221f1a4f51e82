import { useQuery } from "urql";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { ConnectedAppsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ConnectedApp } from "./connected-app.tsx";
import { PurchaseTokens } from "./purchase-tokens.tsx";

const PAGE_SIZE = 10;

/** Whoever was allowed to act for this account: what they may, what they spent, and the way to end it. */
export default function AppsPage() {
  const pages = usePages();
  const [{ data, error }, refresh] = useQuery({
    query: ConnectedAppsDocument,
    variables: { first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const viewer = data?.viewer;
  const apps = viewer?.connectedApps.edges.map(({ node }) => node);
  const networks = viewer?.wallet.balances.map(({ network }) => network) ?? [];
  const failure = error && !viewer && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>Apps</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Apps you allowed to act for you. Their limits hold beside your account’s own; disconnecting works at once.
      </p>
      <div className="mt-6">
        <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
        {!apps && !failure && <SkeletonRows count={3} className="h-32" />}
        {apps?.length === 0 && (
          <Empty>No app is connected. When one asks you for permission and you allow it, it appears here.</Empty>
        )}
        <ul className="grid gap-4">
          {apps?.map((app) => (
            <ConnectedApp key={app.id} app={app} networks={networks} />
          ))}
        </ul>
        <Pager pages={pages} pageInfo={viewer?.connectedApps.pageInfo} />
      </div>
      <PurchaseTokens />
    </>
  );
}
