/**
 * What a checkout may ask during an order: a closed list, because the merchant controls the text of its form. A purpose that is
 * not listed is not asked. Depends only on zod; shared with workers.
 */
import { z } from "zod";

export const QUESTION_KINDS = ["text", "choice", "yes_no", "date"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

interface Purpose {
  /** The question in the service's words. */
  readonly text: string;
  readonly kinds: readonly QuestionKind[];
  /** Whether the agent that placed the order may answer too. Consent, age, address and price are the owner's alone. */
  readonly isHarmless: boolean;
}

/** Questions by purpose. Card data, passwords, codes of banks and identity numbers are not among them and must never be. */
export const PURPOSES = {
  salutation: { text: "Which salutation does the merchant use?", kinds: ["choice", "text"], isHarmless: true },
  company: { text: "What is the name of the company?", kinds: ["text"], isHarmless: true },
  house_number: { text: "What is the house number of the delivery address?", kinds: ["text"], isHarmless: false },
  delivery_note: { text: "What note does the carrier receive?", kinds: ["text"], isHarmless: true },
  phone: { text: "What phone number may the merchant use?", kinds: ["text"], isHarmless: false },
  address_detail: {
    text: "What is the missing part of the delivery address?",
    kinds: ["text", "choice"],
    isHarmless: false,
  },
  delivery_option: { text: "Which delivery does the order use?", kinds: ["choice"], isHarmless: false },
  product_option: { text: "Which option of the product is ordered?", kinds: ["choice", "text"], isHarmless: false },
  vat_id: { text: "What is the VAT number of the company?", kinds: ["text"], isHarmless: false },
  date_of_birth: { text: "What is your date of birth?", kinds: ["date", "text"], isHarmless: false },
  age_confirmation: { text: "Do you have the age that the merchant requires?", kinds: ["yes_no"], isHarmless: false },
  consent: { text: "Do you agree to the merchant’s condition?", kinds: ["yes_no"], isHarmless: false },
  merchant_code: {
    text: "What code did the merchant send by email or text message?",
    kinds: ["text"],
    isHarmless: false,
  },
} as const satisfies Record<string, Purpose>;

export const PURPOSE_NAMES = Object.keys(PURPOSES) as (keyof typeof PURPOSES)[];
export type QuestionPurpose = keyof typeof PURPOSES;

/** Words of what is never asked, in the languages of the checkout worker. Compared with the merchant's label. */
const NEVER_ASKED =
  /card|kart(?:e|en)|carte|tarjeta|\bcv[vc]\b|\bcsc\b|password|passwort|passwd|passcode|mot de passe|contraseñ|wachtwoord|lösenord|\bpin\b|\btans?\b|3-?d.?secure|\bbank|\biban\b|\bbic\b|account number|kontonummer|sort code|passport|reisepass|passeport|pasaporte|\bssn\b|social security|national id|identity|identit|ausweis|personal.?(?:number|nummer|id)|personnummer|steuer.?(?:id|nummer)|tax.?(?:id|number)|codice fiscale|\bdni\b|\bnie\b|\bcpf\b|\bbsn\b|\bnif\b|licen[cs]e|cédula|パスワード|カード|暗証/i;

/** Words of codes, which banks send too. A text is asked for with them only as a code of the merchant. */
const CODE =
  /\botp\b|one.?time (?:code|pass)|\bcode\b.{0,30}(?:\bsms\b|text message)|\bsms\b.{0,15}code|(?:security|verification|authenti?cation|confirmation) ?(?:code|number)|(?:sicherheits|bestätigungs|prüf|einmal)\p{L}{0,6}(?:code|nummer)|code de (?:sécurité|vérification|confirmation)|código de (?:seguridad|verificación|confirmación|segurança|verificação)|codice di (?:sicurezza|verifica|conferma)|(?:beveiligings|verificatie)code|認証|確認コード/iu;

const label = (longest: number) =>
  z
    .string()
    .transform((value) =>
      value
        .toWellFormed()
        // Invisible characters would split the words of what is never asked.
        .replace(/(?:\p{Cf}|\u034F|[\uFE00-\uFE0F])+/gu, "")
        .replace(/[\p{C}\s]+/gu, " ")
        .trim()
        .slice(0, longest),
    )
    .pipe(z.string().min(1));

export const MAX_CHOICES = 60;
export const MAX_ANSWER_LENGTH = 200;

/** A question as sent by a worker. Texts are the merchant's and untrusted. */
export const QuestionBody = z
  .strictObject({
    purpose: z.enum(PURPOSE_NAMES),
    kind: z.enum(QUESTION_KINDS),
    /** Label of the field on the merchant's page. */
    merchantText: label(200),
    /** With `choice` only: what the field accepts, in its order. */
    choices: z
      .array(z.strictObject({ id: z.string().regex(/^\P{C}{1,200}$/u), label: label(200) }))
      .max(MAX_CHOICES)
      .default([]),
    /** With `text` only: bounds of the answer's length. */
    minLength: z.int().min(0).max(MAX_ANSWER_LENGTH).default(1),
    maxLength: z.int().min(1).max(MAX_ANSWER_LENGTH).default(MAX_ANSWER_LENGTH),
    /** With `date` only: bounds, both included. */
    earliest: z.iso.date().nullable().default(null),
    latest: z.iso.date().nullable().default(null),
  })
  .refine(({ purpose, kind }) => (PURPOSES[purpose].kinds as readonly string[]).includes(kind), {
    path: ["kind"],
    error: "does not fit the purpose",
  })
  .refine(({ kind, choices }) => (kind === "choice") === choices.length > 0, {
    path: ["choices"],
    error: "are required with choice, and only then",
  })
  .refine(({ choices }) => new Set(choices.map(({ id }) => id)).size === choices.length, {
    path: ["choices"],
    error: "must have unique ids",
  })
  .refine(({ minLength, maxLength }) => minLength <= maxLength, { path: ["minLength"], error: "exceeds maxLength" });
export type Question = z.output<typeof QuestionBody>;
export type QuestionInput = z.input<typeof QuestionBody>;

/** Returns whether the merchant's texts request what is never asked, or is not asked in this form for this purpose. */
export function isNeverAsked(question: Pick<Question, "purpose" | "kind" | "merchantText" | "choices">): boolean {
  const { purpose, kind, merchantText, choices } = question;
  const patterns = kind === "text" && purpose !== "merchant_code" ? [NEVER_ASKED, CODE] : [NEVER_ASKED];
  const texts = [merchantText, ...choices.map(({ label: choice }) => choice)].map((text) => text.normalize("NFKC"));
  return texts.some((text) => patterns.some((pattern) => pattern.test(text)));
}

export type AnswerState =
  | { readonly status: "open" }
  | { readonly status: "answered"; readonly answer: string }
  | { readonly status: "expired" };
