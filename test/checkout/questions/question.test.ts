/** What a checkout may ask and who may answer, without a service. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireDecider } from "../../../src/accounts/decisions/decider.ts";
import type { AccountViewer, CredentialKind } from "../../../src/accounts/viewer.ts";
import { deciderOf } from "../../../src/checkout/questions/answer-question.ts";
import { readAnswer } from "../../../src/checkout/questions/read-answer.ts";
import { isNeverAsked, PURPOSE_NAMES, PURPOSES, QuestionBody } from "../../../src/checkout/worker-protocol/question.ts";

const KINDS: CredentialKind[] = ["api_token", "session", "access_token", "purchase_token", "login_token"];

function viewerOf(credentialKind: CredentialKind, scopes: readonly string[], strictScopes: boolean): AccountViewer {
  return {
    ...{ kind: "account", accountId: "a", credentialId: "tok_1", credentialKind, budgetId: "tok_1", budgetIds: [] },
    ...{ scopes, strictScopes, rules: { networks: [], allowedHosts: [], allowedPayees: [], merchantUrl: null } },
    ...{ x402Enabled: false, frozenBy: null, creditMicroUsd: 0n, expiresAtMs: null, isAdministrator: false },
    authenticatedAtMs: null,
  };
}

it("lets no token answer a question about consent, age, address or price", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom<string>(...PURPOSE_NAMES), fc.string()),
      fc.constantFrom(...KINDS),
      fc.subarray(["orders:write", "payments:sign", "transactions:read", "account:manage"]),
      fc.boolean(),
      (purpose, kind, scopes, isStrict) => {
        const isHarmless = purpose in PURPOSES && PURPOSES[purpose as keyof typeof PURPOSES].isHarmless;
        const mayUse = !isStrict || scopes.includes("orders:write");
        const isAllowed = kind === "session" || (isHarmless && kind !== "purchase_token" && mayUse);
        const decide = () => requireDecider(viewerOf(kind, scopes, isStrict), deciderOf(purpose));
        if (isAllowed) expect(decide().credentialKind).toBe(kind);
        else expect(decide).toThrow();
      },
    ),
  );
});

it("never stores a card number as an answer", () => {
  const bounds = { choices: [], minLength: 1, maxLength: 200, earliest: null, latest: null };
  const question = { kind: "text" as const, ...bounds };
  const cards = ["4242424242424242", "5555 5555 5555 4444", "3782-822463-10005"];
  for (const card of cards) expect(() => readAnswer(question, card)).toThrow("card number");
  expect(readAnswer(question, "+44 20 7946 0958")).toBe("+44 20 7946 0958");
});

describe("a question", () => {
  it.each([
    ...["Kreditkartennummer", "Card number", "CVC", "Passwort", "Mot de passe", "PIN", "TAN", "3-D Secure code"],
    ...["IBAN", "Passport no.", "Social Security Number", "DNI", "CPF", "Steuer-ID", "Codice fiscale", "Personnummer"],
  ])("is never asked for %s", (merchantText) => {
    expect(isNeverAsked({ purpose: "company", kind: "text", merchantText, choices: [] })).toBe(true);
    expect(
      isNeverAsked({
        purpose: "salutation",
        kind: "choice",
        merchantText: "Field",
        choices: [{ id: "1", label: merchantText }],
      }),
    ).toBe(true);
  });

  it.each([
    "Code from the SMS",
    "Enter your 6-digit security code",
    "OTP",
    "SMS-Code",
    "Bestätigungscode",
    "Code de vérification",
    "Ｃard number",
  ])("is asked for %s at most as a code of the merchant", (merchantText) => {
    expect(isNeverAsked({ purpose: "company", kind: "text", merchantText, choices: [] })).toBe(true);
  });

  it("may ask for a code of the merchant, and not for one of a bank", () => {
    const isRefused = (merchantText: string) =>
      isNeverAsked({ purpose: "merchant_code", kind: "text", merchantText, choices: [] });
    expect(isRefused("Verification code")).toBe(false);
    expect(isRefused("Verification code of your bank")).toBe(true);
  });

  it("has no invisible characters within the words of what is never asked", () => {
    const { merchantText } = QuestionBody.parse({
      purpose: "company",
      kind: "text",
      merchantText: "Pass\u200Bword, C\u00ADVC",
    });
    expect(merchantText).toBe("Password, CVC");
  });

  it.each([
    "Anrede *",
    "Hausnummer",
    "Company name",
    "Geburtsdatum",
    "Delivery note",
    "Téléphone",
    "I am over 18",
    "Código postal",
    "Mobile for SMS",
  ])("is asked for %s", (merchantText) => {
    expect(isNeverAsked({ purpose: "company", kind: "text", merchantText, choices: [] })).toBe(false);
  });

  it("has only forms that its purpose permits, and shows one line of the merchant's text", () => {
    const body = { purpose: "consent", kind: "yes_no", merchantText: "  Agree\u202e\nto it " };
    expect(QuestionBody.parse(body).merchantText).toBe("Agree to it");
    for (const more of [
      { kind: "text" },
      { purpose: "card_number" },
      { merchantText: "\n" },
      { choices: [{ id: "a", label: "A" }] },
    ])
      expect(QuestionBody.safeParse({ ...body, ...more }).success).toBe(false);
  });
});
