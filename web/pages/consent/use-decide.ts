import { useState } from "react";
import { DecideAuthorizationDocument, type DecideAuthorizationInput } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Sends the decision, and then the browser on its way back to the application. */
export function useDecide(onStale: () => void) {
  const operation = useOperation(DecideAuthorizationDocument);
  const [isLeaving, setIsLeaving] = useState(false);
  async function decide(input: DecideAuthorizationInput) {
    const { value, error } = await operation.run({ input });
    if (value) {
      setIsLeaving(true);
      location.assign(value.continueUrl);
    }
    // Signed out meanwhile, or a fresh proof is asked for: the request says what is needed.
    if (error?.code === "unauthorized" || error?.code === "forbidden") onStale();
  }
  return {
    decide,
    isBusy: operation.isRunning || isLeaving,
    failure: operation.failure,
    isOver: operation.failure?.code === "not_found",
  };
}
