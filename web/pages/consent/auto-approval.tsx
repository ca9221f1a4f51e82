import { useEffect, useRef } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { AppHeader, type AuthorizationRequest } from "./app-header.tsx";
import { RequestEnded } from "./request-ended.tsx";
import { useDecide } from "./use-decide.ts";

/** Approves automatically if the same access was granted before and the app did not request a prompt. The previous limits remain. */
export function AutoApproval({ request }: { readonly request: AuthorizationRequest }) {
  const { requestId } = request;
  const { decide, failure, isEnded } = useDecide(() => location.reload());
  const isSubmitted = useRef(false);
  useEffect(() => {
    if (isSubmitted.current) return;
    isSubmitted.current = true;
    void decide({ requestId, approve: true });
  });
  if (isEnded) return <RequestEnded />;
  return (
    <>
      <AppHeader request={request} verb="is connected" />
      <p role="status" className="mt-4 text-muted">
        Access was granted before. Redirecting…
      </p>
      <FailureNotice failure={failure} onRetry={() => void decide({ requestId, approve: true })} />
    </>
  );
}
