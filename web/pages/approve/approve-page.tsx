import type { PageProps } from "../../app/page-props.ts";
import { showSignedInAccount, signInUrl } from "../../app/sign-in-link.ts";
import { useAccountChange } from "../../app/use-account-change.ts";
import { buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { isSignedOut } from "../../graphql/client.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { Decided } from "./decided.tsx";
import { Decision } from "./decision.tsx";
import { useApproval } from "./use-approval.ts";

/** Approval of a purchase outside the standing policy (spec section 4.8, rule 3). */
export default function ApprovePage({ params: { approvalId = "" } }: PageProps) {
  const { viewer, approval, error, fetching, again } = useApproval(approvalId);
  useAccountChange(viewer?.account.id, again, showSignedInAccount);
  if (viewer && approval?.status === "PENDING") {
    const hasPasskey = nodesOf(viewer.passkeys).length > 0;
    return <Decision approval={approval} account={viewer.account} hasPasskey={hasPasskey} onChanged={again} />;
  }
  if (approval) return <Decided approval={approval} onChanged={again} />;
  if (fetching || isSignedOut(error)) return <SkeletonRows count={8} />;
  if (error?.networkError) {
    return (
      <>
        <PageTitle>Purchase approval</PageTitle>
        <FailureNotice failure={transportFailure(error)} onRetry={again} />
      </>
    );
  }
  return <NotFound name={viewer?.account.email ?? viewer?.account.displayName ?? null} />;
}

/** Shown for purchases of other accounts and unknown ids alike, which reveals nothing about a guessed link. */
function NotFound({ name }: { readonly name: string | null }) {
  return (
    <>
      <PageTitle>Purchase not found</PageTitle>
      <p className="mt-3">
        No such purchase in {name ? <strong className="font-semibold wrap-anywhere">{name}</strong> : "this account"}.
        It may belong to another account. No purchase was made.
      </p>
      <Actions>
        <a href={signInUrl()} className={buttonClass()}>
          Switch account
        </a>
      </Actions>
    </>
  );
}
