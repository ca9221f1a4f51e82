/** Validation of an answer against its question. */
import cardValidator from "card-validator";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { Question } from "../worker-protocol/question.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the answer as it is stored: a text, the id of a choice, `yes` or `no`, or a date as `YYYY-MM-DD`.
 * @throws {InvalidRequestError} with the field `answer`
 */
export function readAnswer(
  question: Pick<Question, "kind" | "choices" | "minLength" | "maxLength" | "earliest" | "latest">,
  answer: string,
): string {
  const { kind, choices, minLength, maxLength, earliest, latest } = question;
  switch (kind) {
    case "text": {
      const text = answer.normalize("NFC").trim();
      if (/\p{C}/u.test(text)) throw invalid("must be one line of text without control characters");
      if (text.length < Math.max(1, minLength) || text.length > maxLength) {
        throw invalid(`must have ${Math.max(1, minLength)} to ${maxLength} characters`);
      }
      if (cardValidator.number(text.replaceAll(/[^\d]/g, "")).isValid) throw invalid("must not contain a card number");
      return text;
    }
    case "choice":
      if (!choices.some(({ id }) => id === answer)) throw invalid("must be the id of one of the choices");
      return answer;
    case "yes_no":
      if (answer !== "yes" && answer !== "no") throw invalid("must be yes or no");
      return answer;
    case "date":
      if (!isDate(answer)) throw invalid("must be a date, such as 1990-12-31");
      if ((earliest !== null && answer < earliest) || (latest !== null && answer > latest)) {
        throw invalid(`must be from ${earliest ?? "any date"} to ${latest ?? "any date"}`);
      }
      return answer;
  }
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const invalid = (rule: string) =>
  new InvalidRequestError(`answer ${rule}. Nothing was sent to the merchant.`, "answer");
