import { useQuery } from "urql";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { SecurityDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { EmailSection } from "./email-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { ScopesSection } from "./scopes-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

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
