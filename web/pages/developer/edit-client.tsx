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
import { type Draft, EMPTY_DRAFT, type Problems, placeOf, problemsOfStep, registrationOf, without } from "./draft.ts";
import { AddressFields, AppFields, ResponsibleFields } from "./step-fields.tsx";

/** What an owner may change, each part saved by itself. */
export function EditClient({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const [draft, setDraft] = useState(() => draftOf(client));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const { responsible, app, oauth } = registrationOf(draft);
  const isOver = client.status === "REVOKED";
  const isLocked = client.status === "APPROVED" || isOver;
  if (isOver) return null;
  const part = { client, draft, onChange: change };
  return (
    <>
      <Part
        {...part}
        step={1}
        title="The app"
        hint="People see it; it may change at any time."
        input={{ app }}
        Fields={AppFields}
      />
      <Part
        {...part}
        step={2}
        title="Addresses"
        hint="New ones of an approved app hold at once, and its contacts are told."
        input={{ oauth: { redirectUris: oauth.redirectUris, javascriptOrigins: oauth.javascriptOrigins ?? [] } }}
        Fields={AddressFields}
      />
      {isLocked ? (
        <Section title="Who answers for it" hint="Locked since the app was approved.">
          <Facts>
            <Fact name="Full name">{client.responsible.fullName}</Fact>
            <Fact name="Telephone">{client.responsible.phone}</Fact>
            <Fact name="Country">{countryName(client.responsible.country)}</Fact>
            <Fact name="Postal address">
              <span className="whitespace-pre-line">{client.responsible.address}</span>
            </Fact>
          </Facts>
        </Section>
      ) : (
        <Part
          {...part}
          step={0}
          title="Who answers for it"
          hint="Locked once the app is approved."
          input={{ responsible }}
          Fields={ResponsibleFields}
        />
      )}
    </>
  );
}

interface PartProps {
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

function Part({ client, draft, step, title, hint, input, Fields, onChange }: PartProps) {
  const [problems, setProblems] = useState<Problems>({});
  const update = useOperation(UpdateOAuthClientDocument);
  const toast = useToast();
  async function save(event: FormEvent) {
    event.preventDefault();
    // The kind and the terms were settled when it was registered.
    const found = problemsOfStep({ ...draft, kind: client.kind, acceptTerms: true }, step);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const { value, error } = await update.run({ input: { id: client.id, ...input } });
    if (value) {
      const isReviewedAgain = client.status === "REJECTED" && value.client.status === "PENDING_APPROVAL";
      toast(isReviewedAgain ? "Saved. It is reviewed again." : "Saved.");
      return;
    }
    const place = placeOf(error);
    if (!place) return;
    setProblems(place.problems);
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
            setProblems((before) => without(before, Object.keys(changes)));
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

function draftOf({ responsible, app, kind, redirectUris, javascriptOrigins }: OAuthClientDetailsFragment): Draft {
  const { fullName, phone, country, address } = responsible;
  const { appName, supportEmail, contactEmails } = app;
  const step1 = { fullName, phone, country, address };
  return { ...EMPTY_DRAFT, ...step1, appName, supportEmail, contactEmails, kind, redirectUris, javascriptOrigins };
}
