import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { FieldGroup, SelectField, TextField } from "../../components/field.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { AnswerOrderQuestionDocument, type AskedQuestionFragment } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { Countdown } from "../buy/countdown.tsx";

/** Question of the checkout with a form for its answer. The merchant's texts are marked, because they can imitate other texts. */
export function QuestionForm({
  question,
  onChanged,
}: {
  readonly question: AskedQuestionFragment;
  readonly onChanged: () => void;
}) {
  const [answer, setAnswer] = useState("");
  const [error, setError] = useState<string>();
  const { run, isRunning, failure } = useOperation(AnswerOrderQuestionDocument);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const problem = findProblem(question, answer);
    setError(problem);
    if (problem !== undefined) return;
    await run({ input: { id: question.questionId, answer } });
    onChanged();
  }
  const props = { question, answer, error, onChange: setAnswer };
  return (
    <Notice tone="caution" title="Your answer is required">
      <p className="mb-2">
        The checkout stops here until you answer. Without an answer, the order ends and your card is not charged.
        {question.expiresAt && (
          <>
            {" "}
            Time left: <Countdown until={question.expiresAt} onExpired={onChanged} />
          </>
        )}
      </p>
      <p className="mb-3">
        <span className="block text-small text-muted">Text on the merchant’s page, not verified by Satchel</span>“
        <bdi className="wrap-anywhere">{question.merchantText}</bdi>”
      </p>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid max-w-md gap-3">
        <AnswerField {...props} />
        <FailureNotice failure={failure} />
        <div>
          <Button look="primary" type="submit" isBusy={isRunning}>
            Send answer
          </Button>
        </div>
        <p className="text-small text-muted">
          The answer goes to the merchant and into the evidence of the order. Satchel never asks for card data,
          passwords, bank codes or identity numbers here.
        </p>
      </form>
    </Notice>
  );
}

function AnswerField({
  question: { text, kind, choices, maxLength, earliest, latest },
  answer,
  error,
  onChange,
}: {
  readonly question: AskedQuestionFragment;
  readonly answer: string;
  readonly error: string | undefined;
  readonly onChange: (answer: string) => void;
}) {
  if (kind === "YES_NO") {
    return (
      <FieldGroup legend={text}>
        {(["yes", "no"] as const).map((value) => (
          <label key={value} className="flex min-h-8 items-center gap-2.5">
            <input
              type="radio"
              name="answer"
              value={value}
              checked={answer === value}
              onChange={() => onChange(value)}
              className="size-4.5 shrink-0 accent-leather"
            />
            <span>{value === "yes" ? "Yes" : "No"}</span>
          </label>
        ))}
        {error && (
          <p role="alert" className="mt-1 text-small text-bad">
            {error}
          </p>
        )}
      </FieldGroup>
    );
  }
  if (kind === "CHOICE") {
    return (
      <SelectField label={text} error={error} value={answer} onChange={({ target }) => onChange(target.value)}>
        <option value="">Select</option>
        {choices.map(({ choiceId, merchantLabel }) => (
          <option key={choiceId} value={choiceId}>
            {merchantLabel}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <TextField
      label={text}
      error={error}
      autoComplete="off"
      required
      value={answer}
      onChange={({ target }) => onChange(target.value)}
      {...(kind === "DATE"
        ? { type: "date", ...(earliest ? { min: earliest } : {}), ...(latest ? { max: latest } : {}) }
        : { maxLength })}
    />
  );
}

function findProblem({ kind, minLength }: AskedQuestionFragment, answer: string): string | undefined {
  if (answer.trim() === "") return kind === "YES_NO" || kind === "CHOICE" ? "Select an answer." : "Enter an answer.";
  if (kind === "TEXT" && answer.trim().length < minLength) return `Enter at least ${minLength} characters.`;
  return undefined;
}
