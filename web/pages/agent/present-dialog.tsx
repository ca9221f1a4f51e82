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
import { claimWords } from "./claim-words.ts";

/** Shows a credential to one checker, with as much of it as the person chooses. */
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
      <Dialog title="Give this to the checker" isOpen onClose={onClose}>
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
      title="Present the credential"
      description="Signed for one checker and one moment: nobody else can use it."
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
          label="For whom"
          hint="What the checker calls itself, such as its web address."
          autoComplete="off"
          error={at("audience")}
        />
        <TextField
          name="nonce"
          label="Its nonce"
          hint="What the checker gave for this one time."
          autoComplete="off"
          error={at("nonce")}
        />
        <FieldGroup legend="What it shows" hint="The rest stays hidden.">
          {disclosableClaims.map((claim) => (
            <Checkbox key={claim} name="disclose" value={claim} label={claimWords(claim)} />
          ))}
        </FieldGroup>
        <FailureNotice failure={["audience", "nonce"].some(at) ? null : present.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={present.isRunning}>
            Sign it
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
