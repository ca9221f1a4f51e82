import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { SecurityDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { EmailSection } from "./email-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { RecoveryNotice } from "./recovery-notice.tsx";
import { ScopesSection } from "./scopes-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { StopSection } from "./stop-section.tsx";

/** Sign-in methods, scope enforcement and sessions of the account. */
export default function SecurityPage() {
  const security = useReading({ query: SecurityDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = security;
  return (
    <>
      <PageTitle aside={<SignOutButton />}>Security</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      {!viewer && !failure && (
        <div className="mt-6">
          <SkeletonRows count={6} className="h-16" />
        </div>
      )}
      {viewer && (
        <>
          {viewer.pendingRecovery && <RecoveryNotice recovery={viewer.pendingRecovery} onCancelled={again} />}
          <EmailSection account={viewer.account} onChanged={again} />
          <PasskeysSection passkeys={nodesOf(viewer.passkeys)} account={viewer.account} onChanged={again} />
          <ScopesSection isOn={viewer.account.strictScopes} onChanged={again} />
          <StopSection account={viewer.account} />
          <SessionsSection sessions={nodesOf(viewer.sessions)} onChanged={again} />
        </>
      )}
    </>
  );
}
