import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextArea } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  AdministratorActsDocument,
  type AdministratorProposalDetailsFragment,
  AdministratorProposalsDocument,
  ConfirmAdministratorProposalDocument,
  RejectAdministratorProposalDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useAct } from "./use-act.tsx";

/** Proposed acts that wait for a second administrator. */
export function Proposals({ version, onActed }: { readonly version: number; readonly onActed: () => void }) {
  const [selected, setSelected] = useState<AdministratorProposalDetailsFragment | null>(null);
  const list = usePagedList(
    AdministratorProposalsDocument,
    {},
    ({ administratorProposals }) => administratorProposals,
    { size: 10, version },
  );
  if (list.shown?.length === 0) return null;
  return (
    <Section title="Waiting for a second administrator">
      <ListOf list={list} awaited={{ count: 1 }} empty="No proposals.">
        {(proposals) => (
          <Table caption="Proposals, newest first" columns={["Act", "Reason", "Expires", "Action"]}>
            {proposals.map((proposal) => (
              <Row key={proposal.proposalId}>
                <Cell className="font-mono text-small wrap-anywhere">{proposal.action}</Cell>
                <Cell label="Reason" className="wrap-anywhere">
                  {proposal.reason ?? "None"}
                </Cell>
                <Cell label="Expires">
                  <Time at={proposal.expiresAt} />
                </Cell>
                <Cell>
                  <Button
                    size="small"
                    aria-label={`Decide ${proposal.proposalId}`}
                    onClick={() => setSelected(proposal)}
                  >
                    Decide
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
      {selected && (
        <ProposalDialog
          key={selected.proposalId}
          proposal={selected}
          onClose={() => setSelected(null)}
          onDecided={() => {
            setSelected(null);
            onActed();
          }}
        />
      )}
    </Section>
  );
}

function ProposalDialog({
  proposal: { proposalId, action, reason: proposedFor, input, proposedById },
  onClose,
  onDecided,
}: {
  readonly proposal: AdministratorProposalDetailsFragment;
  readonly onClose: () => void;
  readonly onDecided: () => void;
}) {
  const [reason, setReason] = useState("");
  const toast = useToast();
  const confirm = useAct(ConfirmAdministratorProposalDocument, () => {
    toast("Confirmed. The act was performed.");
    onDecided();
  });
  const reject = useAct(RejectAdministratorProposalDocument, () => {
    toast("Proposal rejected.");
    onDecided();
  });
  const failure = confirm.failure ?? reject.failure;
  const reasonFailure = failureAt(failure, "reason");
  return (
    <Dialog title={action} isOpen onClose={onClose}>
      <p className="wrap-anywhere">{proposedFor ?? "No reason given."}</p>
      <p className="mt-1 text-small text-muted">Proposed by {proposedById ?? "the operator"}</p>
      <pre className="mt-3 overflow-x-auto text-small">{JSON.stringify(input, null, 2)}</pre>
      <div className="mt-3">
        <TextArea
          label="Reason (required to reject)"
          maxLength={1_000}
          error={reasonFailure}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </div>
      <div className="mt-3">
        <FailureNotice failure={reasonFailure ? null : failure} />
      </div>
      <Actions>
        <Button onClick={onClose}>Decide later</Button>
        <Button
          look="danger"
          isBusy={reject.isRunning}
          onClick={() => void reject.run({ input: { proposalId, reason } })}
        >
          Reject
        </Button>
        <Button look="primary" isBusy={confirm.isRunning} onClick={() => void confirm.run({ input: { proposalId } })}>
          Confirm
        </Button>
      </Actions>
      {confirm.proof}
      {reject.proof}
    </Dialog>
  );
}

/** Recorded acts of administrators. */
export function Acts({ version }: { readonly version: number }) {
  const list = usePagedList(AdministratorActsDocument, {}, ({ administratorActs }) => administratorActs, {
    size: 10,
    version,
  });
  return (
    <Section title="Acts of administrators">
      <ListOf list={list} awaited={{ count: 3 }} empty="No acts. Acts of administrators appear here.">
        {(acts) => (
          <Table caption="Acts, newest first" columns={["Act", "Administrator", "Subject", "Change", "Time"]}>
            {acts.map((act) => (
              <Row key={act.actId}>
                <Cell className="wrap-anywhere">
                  <span className="font-mono text-small md:whitespace-nowrap">{act.action}</span>
                  <span className="block text-small text-muted">{act.reason}</span>
                </Cell>
                <Cell label="Administrator" className="font-mono text-small wrap-anywhere">
                  {act.actorAccountId ?? "Operator"}
                </Cell>
                <Cell label="Subject" className="font-mono text-small wrap-anywhere">
                  {act.subjectId ?? act.subjectAccountId ?? "None"}
                </Cell>
                <Cell label="Change" className="font-mono text-small wrap-anywhere">
                  {formatChange(act)}
                </Cell>
                <Cell label="Time" className="whitespace-nowrap">
                  <Time at={act.createdAt} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}

/** Returns the states before and after as JSON; "None" for an act without them. */
const formatChange = ({ before, after }: { readonly before?: unknown; readonly after?: unknown }) =>
  before || after ? [before, after].map((state) => (state ? JSON.stringify(state) : "nothing")).join(" → ") : "None";
