import { useCallback, useEffect, useState } from "react";
import { useClient } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { findLiveViewUrl } from "./find-live-view-url.ts";
import { LiveView } from "./live-view.tsx";
import { orderPath } from "./order-path.ts";

/** Live view of a checkout. The signed-in owner can act in it, other holders of the link only watch. */
export default function LivePage({ params: { orderId = "" } }: PageProps) {
  const client = useClient();
  const [givenUrl] = useState(findSharedUrl);
  // Removes the token from the address bar to prevent accidental sharing. The history state stores it for reloads.
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
            Order details
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

/** Returns the signed URL that opened this page, or null if it had none. */
function findSharedUrl(): string | null {
  if (new URLSearchParams(location.search).has("token")) return location.href;
  const stored = (history.state as { liveViewUrl?: unknown } | null)?.liveViewUrl;
  return typeof stored === "string" ? stored : null;
}
