import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { Checkbox, FieldGroup, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import { type AgentCredentialCardFragment, PresentAgentCredentialDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { claimLabel } from "./claim-labels.ts";

/** Dialog to present a credential to one verifier with selected claims. */
export function PresentDialog({
  credential: { kind, disclosableClaims },
  onClose,
}: {
  readonly credential: AgentCredentialCardFragment;
  readonly onClose: () => void;
}) {
  const present = useOperation(PresentAgentCredentialDocument);
  const [presentation, setPresentation] = useState<string | null>(null);
  async function submit(form: FormData) {
    const { value } = await present.run({
      input: {
        kind,
        audience: String(form.get("audience") ?? "").trim(),
        nonce: String(form.get("nonce") ?? "").trim(),
        disclose: form.getAll("disclose").map(String),
      },
    });
    if (value) setPresentation(value.presentation);
  }
  const at = (field: string) => failureAt(present.failure, field);
  if (presentation !== null) {
    return (
      <Dialog title="Presentation" isOpen onClose={onClose}>
        <Verbatim label="Presentation" text={presentation} isWrapped />
        <Actions>
          <CopyButton text={presentation} what="the presentation" look="button" />
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Present credential"
      description="The presentation is signed for one verifier and one nonce. No other verifier accepts it."
      isOpen
      onClose={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <TextField
          name="audience"
          label="Audience"
          hint="The identifier of the verifier, for example its URL."
          autoComplete="off"
          error={at("audience")}
        />
        <TextField
          name="nonce"
          label="Nonce"
          hint="The one-time value from the verifier."
          autoComplete="off"
          error={at("nonce")}
        />
        <FieldGroup legend="Disclosed claims" hint="Other claims remain hidden.">
          {disclosableClaims.map((claim) => (
            <Checkbox key={claim} name="disclose" value={claim} label={claimLabel(claim)} />
          ))}
        </FieldGroup>
        <FailureNotice failure={["audience", "nonce"].some(at) ? null : present.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={present.isRunning}>
            Sign
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
