import type { PageProps } from "../../app/page-props.ts";
import { sayWhoIsSignedIn, signInUrl } from "../../app/sign-in-link.ts";
import { useSameAccount } from "../../app/use-same-account.ts";
import { buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { Decided } from "./decided.tsx";
import { Decision } from "./decision.tsx";
import { useApproval } from "./use-approval.ts";

/** A purchase outside of the standing policy, put to its person (spec section 4.8, rule 3). */
export default function ApprovePage({ params: { approvalId = "" } }: PageProps) {
  const { viewer, approval, error, fetching, again } = useApproval(approvalId);
  useSameAccount(viewer?.account.id, again, sayWhoIsSignedIn);
  if (viewer && approval?.status === "PENDING") {
    const hasPasskey = viewer.passkeys.edges.length > 0;
    return <Decision approval={approval} account={viewer.account} hasPasskey={hasPasskey} onMoved={again} />;
  }
  if (approval) return <Decided approval={approval} onMoved={again} />;
  if (fetching || isSignedOut(error)) return <SkeletonRows count={8} />;
  if (error?.networkError) {
    return (
      <>
        <PageTitle>A purchase</PageTitle>
        <FailureNotice failure={transportFailure(error)} onRetry={again} />
      </>
    );
  }
  return <NotHere name={viewer?.account.email ?? viewer?.account.displayName ?? null} />;
}

/** The same words for another account's and for what never was: a link tells nobody anything. */
function NotHere({ name }: { readonly name: string | null }) {
  return (
    <>
      <PageTitle>Nothing to approve here</PageTitle>
      <p className="mt-3">
        There is no such purchase in{" "}
        {name ? <strong className="font-semibold wrap-anywhere">{name}</strong> : "this account"}. It may be another
        account’s. Nothing was bought.
      </p>
      <Actions>
        <a href={signInUrl()} className={buttonClass()}>
          Sign in as somebody else
        </a>
      </Actions>
    </>
  );
}
