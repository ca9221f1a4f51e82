import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { InFlightTable } from "../../components/in-flight-table.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  FreezeAccountDocument,
  FreezeServiceDocument,
  InFlightOperationsDocument,
  ServiceFreezeDocument,
  UnfreezeAccountDocument,
  UnfreezeServiceDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";

/** Freeze of one account or of the whole service, with a reason that is recorded. */
export function Freezes() {
  return (
    <Section
      title="Freezes"
      hint="A freeze stops payments, signatures, trades, orders, outgoing email and sign-in. Data can still be read. It requires a sign-in in the last 10 minutes."
    >
      <ServiceForm />
      <AccountForm />
    </Section>
  );
}

function ServiceForm() {
  const state = useReading({ query: ServiceFreezeDocument }, ({ serviceFreeze }) => ({
    freeze: serviceFreeze ?? null,
  }));
  const [reason, setReason] = useState("");
  const freeze = useOperation(FreezeServiceDocument);
  const unfreeze = useOperation(UnfreezeServiceDocument);
  const toast = useToast();
  const current = state.shown?.freeze;
  const failure = freeze.failure ?? unfreeze.failure;
  async function change() {
    const { value } = await (current ? unfreeze : freeze).run({ input: { reason } });
    if (!value) return;
    setReason("");
    toast(current ? "The service was unfrozen." : "The service was frozen.");
    state.again();
  }
  return (
    <div className="space-y-3">
      {current && (
        <Notice tone="bad" title="The service is frozen">
          <p className="break-words">
            Since <Time at={current.frozenAt} />: {current.reason}
          </p>
        </Notice>
      )}
      <TextField
        label="Reason for the service"
        value={reason}
        maxLength={1_000}
        error={failureAt(failure, "reason")}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        look={current ? "plain" : "danger"}
        isBusy={freeze.isRunning || unfreeze.isRunning}
        onClick={() => void change()}
      >
        {current ? "Unfreeze service" : "Freeze service"}
      </Button>
      <FailureNotice failure={failureAt(failure, "reason") === undefined ? failure : null} />
      {current && <InFlight accountId={null} />}
    </div>
  );
}

function AccountForm() {
  const [accountId, setAccountId] = useState("");
  const [reason, setReason] = useState("");
  const [changedId, setChangedId] = useState<string | null>(null);
  const freeze = useOperation(FreezeAccountDocument);
  const unfreeze = useOperation(UnfreezeAccountDocument);
  const toast = useToast();
  const failure = freeze.failure ?? unfreeze.failure;
  const isAtField = ["accountId", "reason"].some((field) => failureAt(failure, field) !== undefined);
  async function change(operation: typeof freeze | typeof unfreeze, done: string) {
    freeze.clear();
    unfreeze.clear();
    const { value } = await operation.run({ input: { accountId: accountId.trim(), reason } });
    if (!value) return;
    setChangedId(value.freeze.accountId);
    toast(done);
  }
  return (
    <div className="mt-8 space-y-3">
      <TextField
        label="Account"
        hint="The id of the account."
        value={accountId}
        error={failureAt(failure, "accountId")}
        onChange={(event) => setAccountId(event.target.value)}
      />
      <TextField
        label="Reason for the account"
        value={reason}
        maxLength={1_000}
        error={failureAt(failure, "reason")}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button look="danger" isBusy={freeze.isRunning} onClick={() => void change(freeze, "The account was frozen.")}>
          Freeze account
        </Button>
        <Button isBusy={unfreeze.isRunning} onClick={() => void change(unfreeze, "The account was unfrozen.")}>
          Unfreeze account
        </Button>
      </div>
      <FailureNotice failure={isAtField ? null : failure} />
      {changedId !== null && <InFlight accountId={changedId} />}
    </div>
  );
}

function InFlight({ accountId }: { readonly accountId: string | null }) {
  const { shown, failure, again } = useReading(
    { query: InFlightOperationsDocument, variables: { accountId } },
    ({ inFlightOperations }) => inFlightOperations ?? undefined,
  );
  return (
    <>
      <FailureNotice failure={failure} onRetry={again} />
      {shown && <InFlightTable operations={shown} />}
    </>
  );
}
