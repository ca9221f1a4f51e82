import { type ReactNode, useId } from "react";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { type Draft, nonEmpty, STEPS } from "./draft.ts";
import { KINDS } from "./kind-choice.tsx";

/** Summary of a registration before it is submitted. */
export function Review({ draft, onGoTo }: { readonly draft: Draft; readonly onGoTo: (step: number) => void }) {
  return (
    <>
      <ReviewSection step={0} onGoTo={onGoTo}>
        <Fact name="Full name">{draft.fullName}</Fact>
        <Fact name="Phone">{draft.phone}</Fact>
        <Fact name="Country">{countryName(draft.country)}</Fact>
        <Fact name="Postal address">
          <span className="whitespace-pre-line">{draft.address}</span>
        </Fact>
      </ReviewSection>
      <ReviewSection step={1} onGoTo={onGoTo}>
        <Fact name="App name">{draft.appName}</Fact>
        <Fact name="Support email">{draft.supportEmail}</Fact>
        <Fact name="Contacts">
          <Lines entries={draft.contactEmails} />
        </Fact>
      </ReviewSection>
      <ReviewSection step={2} onGoTo={onGoTo}>
        <Fact name="App type">{draft.kind && KINDS[draft.kind].name}</Fact>
        <Fact name="Redirect URIs">
          <Lines entries={draft.redirectUris} />
        </Fact>
        <Fact name="JavaScript origins">
          <Lines entries={draft.javascriptOrigins} />
        </Fact>
        <Fact name="Scopes">{draft.strictScopes ? "Enforced" : "Not enforced"}</Fact>
        <Fact name="Terms">Accepted</Fact>
      </ReviewSection>
      <p className="text-muted">
        The responsible person is locked after approval. The app type cannot be changed. Everything else can be changed
        later.
      </p>
    </>
  );
}

function ReviewSection({
  step,
  onGoTo,
  children,
}: {
  readonly step: number;
  readonly onGoTo: (step: number) => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  const title = STEPS[step]?.title;
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id={id} className="text-lead font-semibold">
          {title}
        </h2>
        <Button size="small" aria-label={`Edit: ${title}`} onClick={() => onGoTo(step)}>
          Edit
        </Button>
      </div>
      <Facts>{children}</Facts>
    </section>
  );
}

/** Entries of a list, one per line. */
export function Lines({ entries }: { readonly entries: readonly string[] }) {
  const shown = nonEmpty(entries);
  if (shown.length === 0) return <span className="text-muted">None</span>;
  return (
    <ul>
      {shown.map((entry) => (
        <li key={entry} className="break-all">
          {entry}
        </li>
      ))}
    </ul>
  );
}
