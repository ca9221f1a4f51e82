import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type OAuthClientDetailsFragment,
  UpdateOAuthClientDocument,
  type UpdateOAuthClientInput,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import {
  type Draft,
  EMPTY_DRAFT,
  findStepProblems,
  locateFailure,
  omitProblems,
  type Problems,
  toRegistration,
} from "./draft.ts";
import { AddressFields, AppFields, ResponsibleFields } from "./step-fields.tsx";

/** Editable parts of an app, each with its own save button. */
export function EditClient({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const [draft, setDraft] = useState(() => toDraft(client));
  const change = (changes: Partial<Draft>) => setDraft((current) => ({ ...current, ...changes }));
  const { responsible, app, oauth } = toRegistration(draft);
  const isRevoked = client.status === "REVOKED";
  const isLocked = client.status === "APPROVED" || isRevoked;
  if (isRevoked) return null;
  const part = { client, draft, onChange: change };
  return (
    <>
      <EditSection
        {...part}
        step={1}
        title="App"
        hint="Shown to users. You can change it at any time."
        input={{ app }}
        Fields={AppFields}
      />
      <EditSection
        {...part}
        step={2}
        title="URLs"
        hint="Changes to an approved app take effect immediately. Its contacts are notified."
        input={{ oauth: { redirectUris: oauth.redirectUris, javascriptOrigins: oauth.javascriptOrigins ?? [] } }}
        Fields={AddressFields}
      />
      {isLocked ? (
        <Section title="Responsible person" hint="Locked since the app was approved.">
          <Facts>
            <Fact name="Full name">{client.responsible.fullName}</Fact>
            <Fact name="Phone">{client.responsible.phone}</Fact>
            <Fact name="Country">{countryName(client.responsible.country)}</Fact>
            <Fact name="Postal address">
              <span className="whitespace-pre-line">{client.responsible.address}</span>
            </Fact>
          </Facts>
        </Section>
      ) : (
        <EditSection
          {...part}
          step={0}
          title="Responsible person"
          hint="Locked once the app is approved."
          input={{ responsible }}
          Fields={ResponsibleFields}
        />
      )}
    </>
  );
}

interface EditSectionProps {
  readonly client: OAuthClientDetailsFragment;
  readonly draft: Draft;
  readonly step: number;
  readonly title: string;
  readonly hint: string;
  readonly input: Omit<UpdateOAuthClientInput, "id">;
  readonly Fields: (props: {
    readonly draft: Draft;
    readonly problems: Problems;
    readonly onChange: (changes: Partial<Draft>) => void;
  }) => ReactNode;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function EditSection({ client, draft, step, title, hint, input, Fields, onChange }: EditSectionProps) {
  const [problems, setProblems] = useState<Problems>({});
  const update = useOperation(UpdateOAuthClientDocument);
  const toast = useToast();
  async function save(event: FormEvent) {
    event.preventDefault();
    // The app type and the terms were fixed at registration.
    const found = findStepProblems({ ...draft, kind: client.kind, acceptTerms: true }, step);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const { value, error } = await update.run({ input: { id: client.id, ...input } });
    if (value) {
      const isReviewedAgain = client.status === "REJECTED" && value.client.status === "PENDING_APPROVAL";
      toast(isReviewedAgain ? "Saved. The app will be reviewed again." : "Saved.");
      return;
    }
    const location = locateFailure(error);
    if (!location) return;
    setProblems(location.problems);
    update.clear();
  }
  return (
    <Section title={title} hint={hint}>
      <form onSubmit={(event) => void save(event)} noValidate className="grid max-w-xl gap-5">
        <Fields
          draft={draft}
          problems={problems}
          onChange={(changes) => {
            onChange(changes);
            setProblems((current) => omitProblems(current, Object.keys(changes)));
          }}
        />
        <FailureNotice failure={update.failure} />
        <div>
          <Button type="submit" isBusy={update.isRunning} aria-label={`Save: ${title}`}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}

function toDraft({ responsible, app, kind, redirectUris, javascriptOrigins }: OAuthClientDetailsFragment): Draft {
  const { fullName, phone, country, address } = responsible;
  const { appName, supportEmail, contactEmails } = app;
  const step1 = { fullName, phone, country, address };
  return { ...EMPTY_DRAFT, ...step1, appName, supportEmail, contactEmails, kind, redirectUris, javascriptOrigins };
}
