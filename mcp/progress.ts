import type { ServerContext } from "@modelcontextprotocol/server";

/** Short calls send none: the response to a call without a notification is one JSON body. */
const INTERVAL_MS = 5_000;

/** Notifies the client at intervals that the call is running, if it sent a token for that. Returns a function that ends it. */
export function reportProgress({ mcpReq }: ServerContext, intervalMs = INTERVAL_MS): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: `Running for ${(progress * intervalMs) / 1_000} seconds.` };
    // The client may have disconnected.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }, intervalMs);
  return () => clearInterval(timer);
}
