import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { YourDataDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { DeletionSection } from "./deletion-section.tsx";
import { ExportsSection } from "./exports-section.tsx";

/** Export and deletion of the account. */
export default function YourDataPage() {
  const {
    shown: viewer,
    failure,
    again,
  } = useReading({ query: YourDataDocument }, ({ viewer }) => viewer ?? undefined);
  return (
    <>
      <PageTitle>Your data</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      {!viewer && !failure && (
        <div className="mt-6">
          <SkeletonRows count={4} className="h-16" />
        </div>
      )}
      {viewer && (
        <>
          <ExportsSection account={viewer.account} exports={nodesOf(viewer.accountExports)} onChanged={again} />
          <DeletionSection account={viewer.account} deletion={viewer.accountDeletion} onChanged={again} />
        </>
      )}
    </>
  );
}
