/**
 * Validation of the three registration steps (spec section 2.2). Texts are trimmed; addresses are stored byte for byte.
 */
import { z } from "zod";
import { isStorableText } from "../../platform/database/text.ts";
import { createInputError, isCountryCode } from "../../platform/validation.ts";
import { findNativeRedirectUriProblem, findOriginProblem, findRedirectUriProblem } from "./addresses.ts";

const MAX_ADDRESSES = 20;
const MAX_CONTACTS = 50;
const MAX_EMAIL_LENGTH = 254;

/** Control, formatting and direction characters, which could disguise a name as another. */
const HIDDEN_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}]/u;
const HIDDEN_EXCEPT_LINE_BREAKS = /(?!\r?\n)[\p{C}\p{Zl}\p{Zp}]/u;

const text = (maxLength: number, hidden: RegExp) =>
  z
    .string()
    .trim()
    .min(1, `must have 1 to ${maxLength} characters`)
    .max(maxLength, `must have 1 to ${maxLength} characters`)
    .refine((value) => isStorableText(value) && !hidden.test(value), "must not have control or invisible characters");

const email = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
  .pipe(z.email("must be an email address such as ada@app.example"));

const isPhone = (value: string) =>
  /^\+?[\d ().\-/]+$/.test(value) && /^\d{7,15}$/.test(value.replace(/\D/g, "")) && value.length <= 40;

/**
 * A list of addresses without duplicates.
 * @param findProblem returns the error message for an address; null if it is valid
 */
const addresses = (findProblem: (address: string) => string | null) =>
  z
    .array(
      z.string().superRefine((address, context) => {
        const message = findProblem(address);
        if (message !== null) context.addIssue({ code: "custom", message });
      }),
    )
    .max(MAX_ADDRESSES, `must have at most ${MAX_ADDRESSES} entries`)
    .superRefine((list, context) => {
      const repeated = list.findIndex((address, index) => list.indexOf(address) !== index);
      if (repeated !== -1) context.addIssue({ code: "custom", path: [repeated], message: "is a duplicate" });
    });

const stepFields = z.object({
  responsible: z.object({
    fullName: text(200, HIDDEN_CHARACTERS),
    phone: z.string().trim().refine(isPhone, "must be a telephone number such as +351 210 000 000"),
    country: z.string().trim().toUpperCase().refine(isCountryCode, "must be a country's two-letter code such as PT"),
    address: text(500, HIDDEN_EXCEPT_LINE_BREAKS),
  }),
  app: z.object({
    appName: text(60, HIDDEN_CHARACTERS),
    supportEmail: email,
    contactEmails: z.array(email).max(MAX_CONTACTS, `must have at most ${MAX_CONTACTS} entries`),
  }),
  oauth: z.object({
    javascriptOrigins: addresses(findOriginProblem),
    redirectUris: addresses(findRedirectUriProblem).min(1, "must have at least one entry"),
  }),
});

/** Fields that a client ID metadata document or a dynamic registration has, too. */
export const selfRegisteredFields = {
  grantTypes: z
    .array(z.string())
    .refine((types) => types.includes("authorization_code"))
    .optional(),
  responseTypes: z
    .array(z.string())
    .refine((types) => types.includes("code"))
    .optional(),
  appName: stepFields.shape.app.shape.appName,
  redirectUris: addresses(findNativeRedirectUriProblem).min(1, "must have at least one entry"),
};

const nativeStepFields = stepFields.extend({
  oauth: stepFields.shape.oauth.extend({
    redirectUris: selfRegisteredFields.redirectUris,
  }),
});

/** The three steps: the responsible party, the app information shown to users, the origins and redirect URIs. */
export type ClientSteps = z.output<typeof stepFields>;
export type Step = keyof ClientSteps;

/**
 * Validates the steps and returns them with trimmed texts.
 * @throws {InvalidRequestError} naming all invalid fields, such as `app.contactEmails[1]`
 */
export function checkSteps(kind: string, steps: ClientSteps): ClientSteps {
  const { data, error } = (kind === "native" ? nativeStepFields : stepFields).safeParse(steps);
  if (data) return data;
  throw createInputError(error.issues);
}

/** Converts the steps to columns of `oauth_clients`. */
export function toColumns({ responsible, app, oauth }: ClientSteps) {
  return {
    responsibleName: responsible.fullName,
    responsiblePhone: responsible.phone,
    responsibleCountry: responsible.country,
    responsibleAddress: responsible.address,
    appName: app.appName,
    supportEmail: app.supportEmail,
    contactEmails: app.contactEmails,
    javascriptOrigins: oauth.javascriptOrigins,
    redirectUris: oauth.redirectUris,
  };
}

/** Converts a row of `oauth_clients` to the steps. */
export function toSteps(row: ReturnType<typeof toColumns>): ClientSteps {
  return {
    responsible: {
      fullName: row.responsibleName,
      phone: row.responsiblePhone,
      country: row.responsibleCountry,
      address: row.responsibleAddress,
    },
    app: { appName: row.appName, supportEmail: row.supportEmail, contactEmails: row.contactEmails },
    oauth: { javascriptOrigins: row.javascriptOrigins, redirectUris: row.redirectUris },
  };
}
