import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { AppHeader, type AuthorizationRequest, RequestedScopes } from "./app-header.tsx";
import { RequestEnded } from "./request-ended.tsx";
import { useDecide } from "./use-decide.ts";

/**
 * One button for access that was granted before, if another program could receive the response. The previous limits
 * remain.
 */
export function Confirmation({ request }: { readonly request: AuthorizationRequest }) {
  const { requestId } = request;
  const { decide, isBusy, failure, isEnded } = useDecide(() => location.reload());
  if (isEnded) return <RequestEnded />;
  return (
    <>
      <AppHeader request={request} verb="requests access again" />
      <RequestedScopes request={request} />
      <p className="mt-4">
        You granted this access before, and its limits remain. Continue only if you started this in the app yourself.
      </p>
      <FailureNotice failure={failure} />
      <div className="mt-4 grid grid-cols-2 gap-3">
        <Button isBusy={isBusy} onClick={() => void decide({ requestId, approve: false })}>
          Deny
        </Button>
        <Button look="primary" isBusy={isBusy} onClick={() => void decide({ requestId, approve: true })}>
          Continue
        </Button>
      </div>
    </>
  );
}
