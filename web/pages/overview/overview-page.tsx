import { useQuery } from "urql";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { OverviewDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { Balances } from "./balances.tsx";
import { Limits } from "./limits.tsx";

/** What there is, what may be spent, and what was. */
export default function OverviewPage() {
  const [{ data, error }, refresh] = useQuery({ query: OverviewDocument });
  const viewer = data?.viewer;
  // A network whose nodes are away fails in its own place; the rest stands.
  const failure = error && !viewer && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>Overview</PageTitle>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      <Balances wallet={viewer?.wallet} />
      <Limits spending={viewer?.account.spending} />
    </>
  );
}
