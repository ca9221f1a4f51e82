/** Questions for missing fields of a checkout, without a browser. */
import { describe, expect, it } from "vitest";
import { QuestionBody } from "../../src/checkout/worker-protocol/question.ts";
import { askForMissing, hasQuestion, questionFor } from "../../src/worker/checkout/ask-missing.ts";
import type { FrameView } from "../../src/worker/checkout/page-snapshot.ts";
import { MISSING_PURPOSES, type MissingField } from "../../src/worker/checkout/required-fields.ts";
import { fieldWith } from "./page-fields.ts";

const FIELD: MissingField = {
  ...{ key: "0 text x", purpose: "company", kind: "text", label: "Firma *", choices: [], indexes: [0] },
  bounds: { minLength: null, maxLength: 30, pattern: null, min: null, max: null },
};

it("asks by purpose, and never for identity numbers, passwords and what it does not recognise", () => {
  const asked = MISSING_PURPOSES.filter((purpose) =>
    (["text", "choice", "yes_no", "date"] as const).some((kind) => {
      const choices = kind === "choice" ? [{ value: "1", text: "One" }] : [];
      return questionFor({ ...FIELD, purpose, kind, choices }) !== null;
    }),
  );
  for (const never of ["identity_number", "password", "other", "email", "first_name", "last_name", "country"]) {
    expect(asked).not.toContain(never);
  }
  expect(asked).toEqual(expect.arrayContaining(["company", "salutation", "birth_date", "house_number", "age"]));
});

describe("the question", () => {
  it.each<[string, Partial<MissingField>]>([
    ["a text", {}],
    ["a choice", { purpose: "salutation", kind: "choice", choices: [{ value: "7", text: "Frau" }] }],
    [
      "a choice whose value cannot be stored",
      { purpose: "salutation", kind: "choice", choices: [{ value: "\0", text: "Frau" }] },
    ],
    ["a date", { purpose: "birth_date", kind: "date", bounds: { ...FIELD.bounds, min: "1900-01-01", max: "x" } }],
    ["a confirmation", { purpose: "age", kind: "yes_no", label: " " }],
  ])("of %s is accepted by the service", (_what, more) => {
    const question = questionFor({ ...FIELD, ...more });
    expect(QuestionBody.parse(question)).toMatchObject({ kind: more.kind ?? "text" });
  });
});

it("ends the checkout without an answer, and asks once", async () => {
  const fields = [fieldWith({ label: "First name", isEmpty: false }), fieldWith({ label: "Firma *", required: true })];
  const view = { url: "https://shop.example/checkout?step=1", fields: [...fields] } as unknown as FrameView;
  const asked = new Set<string>();
  const steps: string[] = [];
  const session = {
    ask: async () => null,
    step: async (action: string) => void steps.push(action),
  };
  expect(hasQuestion(view, asked)).toBe(true);
  await expect(askForMissing(session, view, asked)).rejects.toMatchObject({ cause: "missing_field" });
  expect([hasQuestion(view, asked), steps]).toEqual([false, ["Ask the account owner"]]);
});
