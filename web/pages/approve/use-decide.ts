import { useState } from "react";
import {
  ApprovePurchaseDocument,
  DenyPurchaseDocument,
  type ShownApprovalFragment,
  StartPurchaseApprovalDocument,
} from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { signShown } from "../../graphql/sign-shown.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** The two ways to decide: with the passkey's signature, or by refusing. */
export function useDecide({ approvalId, document }: ShownApprovalFragment, onMoved: () => void) {
  const start = useOperation(StartPurchaseApprovalDocument);
  const complete = useOperation(ApprovePurchaseDocument);
  const refuse = useOperation(DenyPurchaseDocument);
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);

  function begin() {
    setRefusal(null);
    for (const operation of [start, complete, refuse]) operation.clear();
  }
  async function approve() {
    begin();
    const started = await start.run({ input: { id: approvalId } });
    if (!started.value) return gone(started.error);
    setIsAsking(true);
    const { response, failure } = await signShown(document, started.value.options);
    setIsAsking(false);
    if (!response) return setRefusal(failure);
    const { error } = await complete.run({ input: { id: approvalId, response } });
    gone(error);
  }
  async function deny() {
    begin();
    const { error } = await refuse.run({ input: { id: approvalId } });
    gone(error);
  }
  /** Decided elsewhere, or too late: what became of it is shown instead. */
  function gone(error: Failure | null) {
    if (error?.code === "invalid_transition" || error?.code === "not_found") onMoved();
  }

  return {
    approve,
    deny,
    isApproving: start.isRunning || isAsking || complete.isRunning,
    isDenying: refuse.isRunning,
    failure: refusal ?? start.failure ?? complete.failure ?? refuse.failure,
  };
}
