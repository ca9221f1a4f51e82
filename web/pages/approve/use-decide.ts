import { useState } from "react";
import {
  ApprovePurchaseDocument,
  DenyPurchaseDocument,
  type ShownApprovalFragment,
  StartPurchaseApprovalDocument,
} from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { signShownDocument } from "../../graphql/sign-shown-document.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Actions to approve a purchase with a passkey, or to deny it. */
export function useDecide({ approvalId, document }: ShownApprovalFragment, onChanged: () => void) {
  const start = useOperation(StartPurchaseApprovalDocument);
  const complete = useOperation(ApprovePurchaseDocument);
  const denyPurchase = useOperation(DenyPurchaseDocument);
  const [isPrompting, setIsPrompting] = useState(false);
  const [signFailure, setSignFailure] = useState<Failure | null>(null);

  function clearFailures() {
    setSignFailure(null);
    for (const operation of [start, complete, denyPurchase]) operation.clear();
  }
  async function approve() {
    clearFailures();
    const started = await start.run({ input: { id: approvalId } });
    if (!started.value) return refreshIfStale(started.error);
    setIsPrompting(true);
    const { response, failure } = await signShownDocument(document, started.value.options);
    setIsPrompting(false);
    if (!response) return setSignFailure(failure);
    const { error } = await complete.run({ input: { id: approvalId, response } });
    refreshIfStale(error);
  }
  async function deny() {
    clearFailures();
    const { error } = await denyPurchase.run({ input: { id: approvalId } });
    refreshIfStale(error);
  }
  /** Refreshes the page if the approval was decided elsewhere or has expired. */
  function refreshIfStale(error: Failure | null) {
    if (error?.code === "INVALID_TRANSITION" || error?.code === "NOT_FOUND") onChanged();
  }

  return {
    approve,
    deny,
    isApproving: start.isRunning || isPrompting || complete.isRunning,
    isDenying: denyPurchase.isRunning,
    failure: signFailure ?? start.failure ?? complete.failure ?? denyPurchase.failure,
  };
}
