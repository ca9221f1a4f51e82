import { useCallback } from "react";
import { useQuery } from "urql";
import { useSearch } from "wouter/use-browser-location";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { AuthorizationRequestDocument } from "../../generated/graphql.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { AutoApproval } from "./auto-approval.tsx";
import { Confirmation } from "./confirmation.tsx";
import { Decision } from "./decision.tsx";
import { RequestEnded } from "./request-ended.tsx";
import { SignInFirst } from "./sign-in-first.tsx";

/** Consent page of an OAuth authorization request (spec section 4.2). */
export default function ConsentPage() {
  const id = new URLSearchParams(useSearch()).get("request") ?? "";
  const [{ data, error, fetching }, refresh] = useQuery({
    query: AuthorizationRequestDocument,
    variables: { id },
    pause: id === "",
    requestPolicy: "network-only",
  });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  const signedIn = () => {
    again();
    focusPageTop();
  };
  const request = data?.authorizationRequest;
  if (request?.needsSignIn) return <SignInFirst request={request} onSignedIn={signedIn} />;
  if (request?.needsConfirmation) return <Confirmation request={request} />;
  if (request && !request.needsConsent) return <AutoApproval request={request} />;
  if (request) return <Decision key={request.requestId} request={request} onStale={again} />;
  if (error) {
    return (
      <>
        <PageTitle>Authorization</PageTitle>
        <FailureNotice failure={transportFailure(error)} onRetry={again} />
      </>
    );
  }
  return fetching ? <SkeletonRows count={6} /> : <RequestEnded />;
}
