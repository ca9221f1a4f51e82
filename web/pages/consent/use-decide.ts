import { useState } from "react";
import { DecideAuthorizationDocument, type DecideAuthorizationInput } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Submits the decision and redirects the browser back to the app. */
export function useDecide(onStale: () => void) {
  const operation = useOperation(DecideAuthorizationDocument);
  const [isLeaving, setIsLeaving] = useState(false);
  async function decide(input: DecideAuthorizationInput) {
    const { value, error } = await operation.run({ input });
    if (value) {
      setIsLeaving(true);
      location.assign(value.continueUrl);
    }
    // The session has ended or a recent sign-in is required. The refreshed request indicates which.
    if (error?.code === "UNAUTHORIZED" || error?.code === "FORBIDDEN") onStale();
  }
  return {
    decide,
    isBusy: operation.isRunning || isLeaving,
    failure: operation.failure,
    isEnded: operation.failure?.code === "NOT_FOUND",
  };
}
