import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Segments } from "../../components/segments.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import {
  AdministratorDocument,
  type OAuthClientRegistration,
  type OAuthClientStatus,
  ReviewQueueDocument,
} from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { statusText } from "../developer/client-status.tsx";
import type { ClientWithHistory } from "../developer/history.tsx";
import { NotFoundPage } from "../not-found-page.tsx";
import { Accounts } from "./accounts.tsx";
import { Acts, Proposals } from "./acts.tsx";
import { BlockedDomains } from "./blocked-domains.tsx";
import { ChainAudit, ChainAuditNotice } from "./chain-audit.tsx";
import { Disputes } from "./disputes.tsx";
import { ExploredMerchants } from "./explored-merchants.tsx";
import { Freezes } from "./freezes.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { Treasury } from "./treasury.tsx";
import { AdministratorContext } from "./use-act.tsx";

const STATUSES: readonly OAuthClientStatus[] = ["PENDING_APPROVAL", "APPROVED", "REJECTED", "REVOKED"];

const REGISTRATIONS: readonly { readonly value: OAuthClientRegistration; readonly text: string }[] = [
  { value: "OWNER", text: "Accounts" },
  { value: "DOCUMENT", text: "Metadata documents" },
  { value: "DYNAMIC", text: "Dynamic registration" },
];

/** Reviews, accounts, acts, treasury, chain audit and freezes for administrators. Other users see the not-found page. */
export default function AdminPage() {
  const [version, setVersion] = useState(0);
  const refresh = () => setVersion((current) => current + 1);
  const {
    shown: viewer,
    failure,
    again,
  } = useReading({ query: AdministratorDocument }, ({ viewer }) => viewer ?? undefined);
  if (viewer?.isAdministrator) {
    return (
      <AdministratorContext value={viewer.account}>
        <PageTitle>Administration</PageTitle>
        <ChainAuditNotice />
        <Queue />
        <BlockedDomains onActed={refresh} />
        <Proposals version={version} onActed={refresh} />
        <ExploredMerchants />
        <Accounts onActed={refresh} />
        <Disputes />
        <Treasury />
        <ChainAudit />
        <Freezes onActed={refresh} />
        <Acts version={version} />
      </AdministratorContext>
    );
  }
  if (viewer) return <NotFoundPage />;
  return failure ? <FailureNotice failure={failure} onRetry={again} /> : <PageSkeleton />;
}

/** App registrations by status, longest waiting first. */
function Queue() {
  const [status, setStatus] = useState<OAuthClientStatus>("PENDING_APPROVAL");
  const [registration, setRegistration] = useState<OAuthClientRegistration>("OWNER");
  const [selected, setSelected] = useState<ClientWithHistory | null>(null);
  const list = usePagedList(
    ReviewQueueDocument,
    { statuses: [status], registrations: [registration] },
    ({ oauthClientsToReview }) => oauthClientsToReview,
  );
  return (
    <Section title="Apps to review">
      <div className="mb-2 flex max-w-full overflow-x-auto">
        <Segments
          legend="Registered by"
          choices={REGISTRATIONS}
          value={registration}
          onChange={(next) => {
            list.pages.reset();
            setRegistration(next);
          }}
        />
      </div>
      <div className="flex max-w-full overflow-x-auto">
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
          empty={
            status === "PENDING_APPROVAL"
              ? "No apps to review. New registrations appear here."
              : "No apps with this status."
          }
        >
          {(clients) => (
            <Table caption={statusText(status)} columns={["App", "Responsible person", "Since", "Action"]}>
              {clients.map((client) => (
                <Row key={client.id}>
                  <Cell className="font-medium break-words">{client.app.appName}</Cell>
                  <Cell label="Responsible person">
                    <span className="min-w-0 break-words">
                      {client.registration === "OWNER"
                        ? `${client.responsible.fullName}, ${client.responsible.country}`
                        : client.clientId}
                    </span>
                  </Cell>
                  <Cell label="Since">
                    <Time at={client.statusChangedAt} />
                  </Cell>
                  <Cell>
                    <Button
                      size="small"
                      aria-label={`Review ${client.app.appName}`}
                      onClick={() => setSelected(client)}
                    >
                      Review
                    </Button>
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </ListOf>
      </div>
      {selected && (
        <ReviewDialog
          key={selected.id}
          client={selected}
          onClose={() => setSelected(null)}
          onDecided={() => {
            setSelected(null);
            list.again();
          }}
        />
      )}
    </Section>
  );
}
