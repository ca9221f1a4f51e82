/** Asks the account owner for required fields that the order does not answer, and fills them in. Only before the card is released. */
import { PURPOSES, type QuestionInput, type QuestionPurpose } from "../../checkout/worker-protocol/question.ts";
import type { WorkerSession } from "../session.ts";
import type { PageField } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { check, chooseOption, typeInto } from "./fill-field.ts";
import type { FrameView } from "./page-snapshot.ts";
import type { Choose } from "./pick-from-list.ts";
import { type MissingField, type MissingPurpose, missingRequiredFields } from "./required-fields.ts";

/** Keys of the fields that were asked for. Each is asked once. */
export type AskedFields = Set<string>;

/** What is asked for a missing field. A purpose that is not listed is never asked. */
const QUESTIONS: Readonly<Partial<Record<MissingPurpose, QuestionPurpose>>> = {
  company: "company",
  house_number: "house_number",
  house_number_suffix: "house_number",
  salutation: "salutation",
  delivery_note: "delivery_note",
  phone: "phone",
  ...{ address1: "address_detail", address2: "address_detail", city: "address_detail" },
  ...{ province: "address_detail", postal_code: "address_detail" },
  vat_id: "vat_id",
  birth_date: "date_of_birth",
  consent: "consent",
  age: "age_confirmation",
};

const MAX_LENGTH = 200;
const MAX_CHOICES = 60;
const FALLBACK_LABEL = "Required field";

/** Returns the question for a missing field; null if it is never asked. Choices have their position as id, not the page's value. */
export function questionFor({ purpose, kind, label, choices, bounds }: MissingField): QuestionInput | null {
  const asked = QUESTIONS[purpose];
  if (asked === undefined || choices.length > MAX_CHOICES) return null;
  // A date of birth in a text field is asked as text, because the merchant's format is in its label.
  if (!(PURPOSES[asked].kinds as readonly string[]).includes(kind)) return null;
  const maxLength = Math.min(bounds.maxLength ?? MAX_LENGTH, MAX_LENGTH);
  return {
    ...{ purpose: asked, kind, merchantText: label.trim() || FALLBACK_LABEL },
    ...(kind === "choice"
      ? { choices: choices.map(({ value, text }, at) => ({ id: String(at + 1), label: text || value })) }
      : {}),
    ...(kind === "text" ? { minLength: Math.min(Math.max(1, bounds.minLength ?? 1), maxLength), maxLength } : {}),
    ...(kind === "date" ? { earliest: dateOf(bounds.min), latest: dateOf(bounds.max) } : {}),
  };
}

/** Returns whether a required field of the document is missing that can be asked for and was not. */
export function hasQuestion(view: FrameView, asked: AskedFields): boolean {
  return findUnasked(view, asked) !== null;
}

/**
 * Asks for the first missing field of the document that was not asked yet, and fills in the answer.
 * @throws {CheckoutEndedError} there is no answer, or it does not fit the page
 */
export async function askForMissing(
  session: Pick<WorkerSession, "ask" | "step">,
  view: FrameView,
  asked: AskedFields,
): Promise<void> {
  const unasked = findUnasked(view, asked);
  if (!unasked) return;
  const { key, field, question } = unasked;
  asked.add(key);
  const selector = `:label("${field.label.slice(0, 60)}")`;
  await session.step("Ask the account owner", { selector, outcome: question.purpose, screenshot: true });
  const answer = await session.ask(question);
  if (answer === null) throw new CheckoutEndedError("missing_field", `No answer to the question ${question.purpose}`);
  if (!(await fillAnswer(view, field, answer))) {
    throw new CheckoutEndedError("missing_field", `The answer to the question ${question.purpose} was not filled in`);
  }
  await session.step("Fill in the answer", { selector, outcome: question.purpose });
}

function findUnasked(view: FrameView, asked: AskedFields) {
  for (const field of missingRequiredFields(view)) {
    const key = `${view.url.split(/[?#]/)[0]} ${field.key}`;
    const question = asked.has(key) ? null : questionFor(field);
    if (question) return { key, field, question };
  }
  return null;
}

/** Fills in an answer. A confirmation that was declined is not filled in. */
async function fillAnswer(view: FrameView, { kind, indexes, choices }: MissingField, answer: string): Promise<boolean> {
  const fieldAt = (index: number | undefined): PageField | null =>
    view.fields.find((one) => one.index === index) ?? null;
  const field = fieldAt(indexes[0]);
  if (!field) return false;
  switch (kind) {
    case "yes_no":
      return answer === "yes" && (await check(view, field));
    case "choice": {
      const position = Number(answer) - 1;
      const chosen = fieldAt(indexes[position]);
      if (field.type === "radio") return chosen !== null && (await check(view, chosen));
      const requested = choices[position];
      if (!requested) return false;
      const choose: Choose = (options) =>
        options.find(({ value, text }) => value === requested.value && text === requested.text) ?? null;
      return await chooseOption(view, field, choose, requested.text);
    }
    case "date":
    case "text":
      return await typeInto(view, field, answer);
  }
}

/** Returns a bound if it is a date of the HTML standard. */
function dateOf(bound: string | null): string | null {
  return bound !== null && /^\d{4}-\d{2}-\d{2}$/.test(bound) ? bound : null;
}
