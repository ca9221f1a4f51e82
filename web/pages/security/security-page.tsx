import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { SecurityDocument, SignOutDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { EmailSection } from "./email-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { ScopesSection } from "./scopes-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

/** The ways into the account, and who is in. */
export default function SecurityPage() {
  const [{ data, error }, refresh] = useQuery({ query: SecurityDocument, requestPolicy: "cache-and-network" });
  const viewer = data?.viewer;
  const again = () => refresh({ requestPolicy: "network-only" });
  const failure = error && !viewer && !isSignedOut(error) ? transportFailure(error) : null;
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
          <EmailSection account={viewer.account} onChanged={again} />
          <PasskeysSection
            passkeys={viewer.passkeys.edges.map(({ node }) => node)}
            account={viewer.account}
            onChanged={again}
          />
          <ScopesSection isOn={viewer.account.strictScopes} onChanged={again} />
          <SessionsSection sessions={viewer.sessions.edges.map(({ node }) => node)} onChanged={again} />
        </>
      )}
    </>
  );
}

function SignOutButton() {
  const signOut = useOperation(SignOutDocument);
  async function leave() {
    const { value } = await signOut.run({});
    // A page of its own: nothing that was known before stays.
    if (value) location.assign("/sign-in");
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FailureNotice failure={signOut.failure} />
      <Button isBusy={signOut.isRunning} onClick={() => void leave()}>
        Sign out
      </Button>
    </div>
  );
}
