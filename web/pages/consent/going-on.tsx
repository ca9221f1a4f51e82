import { useEffect, useRef } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { Asker, type Request } from "./asker.tsx";
import { Over } from "./over.tsx";
import { useDecide } from "./use-decide.ts";

/** As much was allowed before and the application did not ask for the question: what was set then stays. */
export function GoingOn({ request }: { readonly request: Request }) {
  const { requestId } = request;
  const { decide, failure, isOver } = useDecide(() => location.reload());
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void decide({ requestId, approve: true });
  });
  if (isOver) return <Over />;
  return (
    <>
      <Asker request={request} verb="is connected" />
      <p role="status" className="mt-4 text-muted">
        You allowed it this before. Taking you back to it…
      </p>
      <FailureNotice failure={failure} onRetry={() => void decide({ requestId, approve: true })} />
    </>
  );
}
