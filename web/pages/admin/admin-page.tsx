import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Segments } from "../../components/segments.tsx";
import { PageSkeleton, SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import {
  AdministratorDocument,
  type OAuthClientDetailsFragment,
  type OAuthClientStatus,
  ReviewQueueDocument,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { statusText } from "../developer/client-status.tsx";
import { NotFoundPage } from "../not-found-page.tsx";
import { ReviewDialog } from "./review-dialog.tsx";

const PAGE_SIZE = 20;
const STATUSES: readonly OAuthClientStatus[] = ["PENDING_APPROVAL", "APPROVED", "REJECTED", "REVOKED"];

/** For administrators; to everybody else there is no such page. */
export default function AdminPage() {
  const [{ data, error }, refresh] = useQuery({ query: AdministratorDocument });
  if (data?.viewer) return data.viewer.isAdministrator ? <Queue /> : <NotFoundPage />;
  if (error && !isSignedOut(error)) {
    return (
      <FailureNotice failure={transportFailure(error)} onRetry={() => refresh({ requestPolicy: "network-only" })} />
    );
  }
  return <PageSkeleton />;
}

/** Applications by status, those that have waited longest first. */
function Queue() {
  const [status, setStatus] = useState<OAuthClientStatus>("PENDING_APPROVAL");
  const [open, setOpen] = useState<OAuthClientDetailsFragment | null>(null);
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: ReviewQueueDocument,
    variables: { status, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const connection = data?.oauthClientsToReview;
  const clients = connection?.edges.map(({ node }) => node);
  const again = () => refresh({ requestPolicy: "network-only" });
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>Apps to review</PageTitle>
      <div className="mt-5 flex max-w-full overflow-x-auto">
        <Segments
          legend="Status"
          choices={STATUSES.map((value) => ({ value, text: statusText(value) }))}
          value={status}
          onChange={(next) => {
            pages.reset();
            setStatus(next);
          }}
        />
      </div>
      <div className={`mt-4 ${stale ? "opacity-60" : ""}`}>
        <FailureNotice failure={failure} onRetry={again} />
        {!clients && !failure && <SkeletonRows count={5} />}
        {clients?.length === 0 && (
          <Empty>{status === "PENDING_APPROVAL" ? "Nothing waits for you." : "There is no such app."}</Empty>
        )}
        {clients && clients.length > 0 && (
          <Table caption={statusText(status)} columns={["App", "Who answers for it", "Since", "Decide"]}>
            {clients.map((client) => (
              <Row key={client.id}>
                <Cell className="font-medium break-words">{client.app.appName}</Cell>
                <Cell label="Who answers for it">
                  <span className="min-w-0 break-words">
                    {client.responsible.fullName}, {client.responsible.country}
                  </span>
                </Cell>
                <Cell label="Since">
                  <Time at={client.statusChangedAt} />
                </Cell>
                <Cell>
                  <Button size="small" aria-label={`Look at it: ${client.app.appName}`} onClick={() => setOpen(client)}>
                    Look at it
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        <Pager pages={pages} pageInfo={connection?.pageInfo} />
      </div>
      {open && (
        <ReviewDialog
          key={open.id}
          client={open}
          onClose={() => setOpen(null)}
          onDecided={() => {
            setOpen(null);
            again();
          }}
        />
      )}
    </>
  );
}
