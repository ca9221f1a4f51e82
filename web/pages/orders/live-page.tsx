import { useCallback, useEffect, useState } from "react";
import { useClient } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { findLiveViewUrl } from "./find-live-view-url.ts";
import { LiveView } from "./live-view.tsx";
import { orderPath } from "./order-path.ts";

/** A checkout as it is driven, and nothing else. Its owner may act in their own browser; anybody else with the link watches. */
export default function LivePage({ params: { orderId = "" } }: PageProps) {
  const client = useClient();
  const [givenUrl] = useState(givenUrlOf);
  // The token leaves the address bar, so that it is not copied on with it, and stays with the tab for when it is loaded again.
  useEffect(() => {
    if (givenUrl !== null) history.replaceState({ liveViewUrl: givenUrl }, "", location.pathname);
  }, [givenUrl]);
  const findUrl = useCallback(
    async () => (await findLiveViewUrl(client, orderId)) ?? givenUrl,
    [client, orderId, givenUrl],
  );
  return (
    <>
      <PageTitle
        aside={
          <Link href={orderPath(orderId)} className="text-leather underline underline-offset-3">
            The order’s page
          </Link>
        }
      >
        Live checkout
      </PageTitle>
      <div className="mt-4">
        <LiveView findUrl={findUrl} whenNone="refused" />
      </div>
    </>
  );
}

/** The signed address this page was opened with; null where it had none. */
function givenUrlOf(): string | null {
  if (new URLSearchParams(location.search).has("token")) return location.href;
  const known = (history.state as { liveViewUrl?: unknown } | null)?.liveViewUrl;
  return typeof known === "string" ? known : null;
}
