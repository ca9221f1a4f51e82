import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextArea } from "../../components/field.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type OAuthClientDecision,
  type OAuthClientDetailsFragment,
  type OAuthClientStatus,
  ReviewOAuthClientDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { ClientStatusBadge } from "../developer/client-status.tsx";
import { type ClientWithHistory, History } from "../developer/history.tsx";
import { KINDS } from "../developer/kind-choice.tsx";
import { Lines } from "../developer/review.tsx";
import { useAct } from "./use-act.tsx";

const STATUS_TEXTS: Readonly<Record<OAuthClientStatus, string>> = {
  PENDING_APPROVAL: "waits for a review",
  APPROVED: "is approved",
  REJECTED: "is rejected",
  REVOKED: "is revoked",
};

/** All details of an app registration, with the decisions its status allows. */
export function ReviewDialog({
  client,
  onClose,
  onDecided,
}: {
  readonly client: ClientWithHistory;
  readonly onClose: () => void;
  readonly onDecided: () => void;
}) {
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const toast = useToast();
  const review = useAct(ReviewOAuthClientDocument, ({ client: { status } }) => {
    toast(`${appName} ${STATUS_TEXTS[status]}. Its contacts are notified.`);
    onDecided();
  });
  const { appName } = client.app;
  const isPending = client.status === "PENDING_APPROVAL";
  const isDecidable = isPending || client.status === "APPROVED";
  async function decide(decision: OAuthClientDecision) {
    const isMissing = decision !== "APPROVE" && reason.trim() === "";
    setProblem(isMissing ? "Enter a reason. It is shown to the owner and the contacts." : null);
    if (isMissing) return;
    const input = { id: client.id, decision, reason: reason.trim() || null, ifUpdatedAt: client.updatedAt };
    await review.run({ input });
  }
  const reasonFailure = failureAt(review.failure, "reason");
  return (
    <Dialog title={appName} isOpen onClose={onClose}>
      <ClientStatusBadge status={client.status} />
      {client.statusReason && <p className="mt-1 text-small whitespace-pre-line">{client.statusReason}</p>}
      <div className="mt-3">
        <Details client={client} />
      </div>
      {(client.reviews?.edges.length ?? 0) > 1 && (
        <details className="mt-4">
          <summary className="text-leather">History</summary>
          <History reviews={client.reviews} />
        </details>
      )}
      {isDecidable && (
        <div className="mt-4">
          <TextArea
            label={isPending ? "Reason (required to reject)" : "Reason"}
            maxLength={1_000}
            error={problem ?? reasonFailure}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </div>
      )}
      <div className="mt-3">
        <FailureNotice failure={reasonFailure ? null : review.failure} />
      </div>
      {review.proof}
      <Actions>
        <Button onClick={onClose}>{isDecidable ? "Decide later" : "Close"}</Button>
        {isPending && (
          <>
            <Button look="danger" isBusy={review.isRunning} onClick={() => void decide("REJECT")}>
              Reject
            </Button>
            <Button look="primary" isBusy={review.isRunning} onClick={() => void decide("APPROVE")}>
              Approve
            </Button>
          </>
        )}
        {client.status === "APPROVED" && (
          <Button look="danger" isBusy={review.isRunning} onClick={() => void decide("REVOKE")}>
            Revoke permanently
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}

function Details({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const { responsible, app } = client;
  return (
    <Facts>
      <Fact name="Client ID">
        <span className="font-mono text-small break-all">{client.clientId}</span>
      </Fact>
      <Fact name="App type">{KINDS[client.kind].name}</Fact>
      {client.registration === "OWNER" && (
        <>
          <Fact name="Responsible person">{responsible.fullName}</Fact>
          <Fact name="Phone">{responsible.phone}</Fact>
          <Fact name="Country">{countryName(responsible.country)}</Fact>
          <Fact name="Postal address">
            <span className="whitespace-pre-line">{responsible.address}</span>
          </Fact>
          <Fact name="Support email">{app.supportEmail}</Fact>
          <Fact name="Contacts">
            <Lines entries={app.contactEmails} />
          </Fact>
        </>
      )}
      <Fact name="Redirect URIs">
        <Lines entries={client.redirectUris} />
      </Fact>
      <Fact name="JavaScript origins">
        <Lines entries={client.javascriptOrigins} />
      </Fact>
    </Facts>
  );
}
