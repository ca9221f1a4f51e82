import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { startReading } from "../../components/start-reading.ts";
import { RegisterOAuthClientDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { EMPTY_DRAFT, type Problems, placeOf, problemsOfStep, registrationOf, STEPS, without } from "./draft.ts";
import { Progress } from "./progress.tsx";
import { Registered, type RegisteredClient } from "./registered.tsx";
import { Review } from "./review.tsx";
import { AppFields, OAuthFields, ResponsibleFields } from "./step-fields.tsx";

const NO_PROBLEMS: Problems = {};
const REVIEW = STEPS.length;
const FIELDS = [ResponsibleFields, AppFields, OAuthFields];

/** Three steps and a look at all of them; the browser's own back and forward move between them. */
export default function NewClientPage() {
  const asked = Number(new URLSearchParams(useSearch()).get("step") ?? "1") - 1;
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [registered, setRegistered] = useState<RegisteredClient | null>(null);
  const register = useOperation(RegisterOAuthClientDocument);
  // Nobody stands at a step before which something is missing, whatever the address says.
  const firstOpen = STEPS.findIndex((_, index) => Object.keys(problemsOfStep(draft, index)).length > 0);
  const step = Math.max(0, Math.min(Number.isInteger(asked) ? asked : 0, firstOpen === -1 ? REVIEW : firstOpen));

  function goTo(next: number, found: Problems = NO_PROBLEMS) {
    setProblems(found);
    navigate(`${PATHS.newClient}?step=${next + 1}`);
    startReading();
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemsOfStep(draft, step);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (step < REVIEW) return goTo(step + 1);
    const { value, error } = await register.run({ input: registrationOf(draft) });
    if (value) {
      setRegistered({ ...value.client, secret: value.secret });
      return startReading();
    }
    const place = placeOf(error);
    if (!place) return;
    register.clear();
    goTo(place.step, place.problems);
  }

  if (registered) return <Registered client={registered} />;
  const Fields = FIELDS[step];
  const fields: readonly string[] = STEPS[step]?.fields ?? [];
  const hasProblems = Object.keys(problems).some((place) => fields.includes(place.split(".", 1)[0] ?? ""));
  return (
    <div className="mx-auto max-w-xl">
      <PageTitle>Register an app</PageTitle>
      <Progress titles={[...STEPS.map(({ title }) => title), "Look it over"]} step={step} onGoTo={goTo} />
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-6 grid gap-5">
        {Fields ? (
          <Fields
            draft={draft}
            problems={problems}
            onChange={(changes) => {
              setDraft((before) => ({ ...before, ...changes }));
              setProblems((before) => without(before, Object.keys(changes)));
            }}
          />
        ) : (
          <Review draft={draft} onGoTo={goTo} />
        )}
        <div>
          <FailureNotice failure={register.failure} />
          <div role="alert" className="text-small text-bad">
            {hasProblems && "Something is missing or wrong above."}
          </div>
        </div>
        <Actions>
          {step === 0 ? (
            <Link href={PATHS.developer} className={buttonClass()}>
              Cancel
            </Link>
          ) : (
            <Button onClick={() => goTo(step - 1)}>Back</Button>
          )}
          <Button type="submit" look="primary" isBusy={register.isRunning}>
            {step === REVIEW ? "Register the app" : "Go on"}
          </Button>
        </Actions>
      </form>
    </div>
  );
}
