import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { RegisterOAuthClientDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import {
  EMPTY_DRAFT,
  findStepProblems,
  locateFailure,
  omitProblems,
  type Problems,
  STEPS,
  toRegistration,
} from "./draft.ts";
import { Progress } from "./progress.tsx";
import { Registered, type RegisteredClient } from "./registered.tsx";
import { Review } from "./review.tsx";
import { AppFields, OAuthFields, ResponsibleFields } from "./step-fields.tsx";

const NO_PROBLEMS: Problems = {};
const REVIEW = STEPS.length;
const FIELDS = [ResponsibleFields, AppFields, OAuthFields];

/** Registration in three steps and a review. Browser back and forward move between the steps. */
export default function NewClientPage() {
  const requestedStep = Number(new URLSearchParams(useSearch()).get("step") ?? "1") - 1;
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [registered, setRegistered] = useState<RegisteredClient | null>(null);
  const register = useOperation(RegisterOAuthClientDocument);
  // The page never shows a step after an incomplete one, regardless of the URL.
  const firstIncomplete = STEPS.findIndex((_, index) => Object.keys(findStepProblems(draft, index)).length > 0);
  const step = Math.max(
    0,
    Math.min(Number.isInteger(requestedStep) ? requestedStep : 0, firstIncomplete === -1 ? REVIEW : firstIncomplete),
  );

  function goTo(next: number, newProblems: Problems = NO_PROBLEMS) {
    setProblems(newProblems);
    navigate(`${PATHS.newClient}?step=${next + 1}`);
    focusPageTop();
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    const newProblems = findStepProblems(draft, step);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return;
    if (step < REVIEW) return goTo(step + 1);
    const { value, error } = await register.run({ input: toRegistration(draft) });
    if (value) {
      setRegistered({ ...value.client, secret: value.secret ?? null });
      return focusPageTop();
    }
    const location = locateFailure(error);
    if (!location) return;
    register.clear();
    goTo(location.step, location.problems);
  }

  if (registered) return <Registered client={registered} />;
  const Fields = FIELDS[step];
  const fields: readonly string[] = STEPS[step]?.fields ?? [];
  const hasProblems = Object.keys(problems).some((location) => fields.includes(location.split(".", 1)[0] ?? ""));
  return (
    <div className="mx-auto max-w-xl">
      <PageTitle>Register app</PageTitle>
      <Progress titles={[...STEPS.map(({ title }) => title), "Review"]} step={step} onGoTo={goTo} />
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-6 grid gap-5">
        {Fields ? (
          <Fields
            draft={draft}
            problems={problems}
            onChange={(changes) => {
              setDraft((current) => ({ ...current, ...changes }));
              setProblems((current) => omitProblems(current, Object.keys(changes)));
            }}
          />
        ) : (
          <Review draft={draft} onGoTo={goTo} />
        )}
        <div>
          <FailureNotice failure={register.failure} />
          <div role="alert" className="text-small text-bad">
            {hasProblems && "Correct the fields marked above."}
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
            {step === REVIEW ? "Register app" : "Continue"}
          </Button>
        </Actions>
      </form>
    </div>
  );
}
