import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Segments } from "../../components/segments.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import {
  AdministratorDocument,
  type OAuthClientDetailsFragment,
  type OAuthClientStatus,
  ReviewQueueDocument,
} from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { statusText } from "../developer/client-status.tsx";
import { NotFoundPage } from "../not-found-page.tsx";
import { ReviewDialog } from "./review-dialog.tsx";

const STATUSES: readonly OAuthClientStatus[] = ["PENDING_APPROVAL", "APPROVED", "REJECTED", "REVOKED"];

/** For administrators; to everybody else there is no such page. */
export default function AdminPage() {
  const {
    shown: viewer,
    failure,
    again,
  } = useReading({ query: AdministratorDocument }, ({ viewer }) => viewer ?? undefined);
  if (viewer) return viewer.isAdministrator ? <Queue /> : <NotFoundPage />;
  return failure ? <FailureNotice failure={failure} onRetry={again} /> : <PageSkeleton />;
}

/** Applications by status, those that have waited longest first. */
function Queue() {
  const [status, setStatus] = useState<OAuthClientStatus>("PENDING_APPROVAL");
  const [open, setOpen] = useState<OAuthClientDetailsFragment | null>(null);
  const list = usePagedList(ReviewQueueDocument, { status }, ({ oauthClientsToReview }) => oauthClientsToReview);
  return (
    <>
      <PageTitle>Apps to review</PageTitle>
      <div className="mt-5 flex max-w-full overflow-x-auto">
        <Segments
          legend="Status"
          choices={STATUSES.map((value) => ({ value, text: statusText(value) }))}
          value={status}
          onChange={(next) => {
            list.pages.reset();
            setStatus(next);
          }}
        />
      </div>
      <div className={`mt-4 ${list.isStale && list.shown ? "opacity-60" : ""}`}>
        <ListOf
          list={list}
          awaited={{ count: 5 }}
          empty={status === "PENDING_APPROVAL" ? "Nothing waits for you." : "There is no such app."}
        >
          {(clients) => (
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
                    <Button
                      size="small"
                      aria-label={`Look at it: ${client.app.appName}`}
                      onClick={() => setOpen(client)}
                    >
                      Look at it
                    </Button>
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </ListOf>
      </div>
      {open && (
        <ReviewDialog
          key={open.id}
          client={open}
          onClose={() => setOpen(null)}
          onDecided={() => {
            setOpen(null);
            list.again();
          }}
        />
      )}
    </>
  );
}
