/** Draft of an app registration in three steps, and its client-side checks. */
import type { OAuthClientKind, RegisterOAuthClientInput } from "../../generated/graphql.ts";
import { type Failure, messageBelowLabel } from "../../graphql/match-result.ts";

export interface Draft {
  readonly fullName: string;
  readonly phone: string;
  readonly country: string;
  readonly address: string;
  readonly appName: string;
  readonly supportEmail: string;
  readonly contactEmails: readonly string[];
  readonly kind: OAuthClientKind | "";
  readonly redirectUris: readonly string[];
  readonly javascriptOrigins: readonly string[];
  readonly strictScopes: boolean;
  readonly acceptTerms: boolean;
}

/** Problems by field. List entries are named `redirectUris.0`. */
export type Problems = Readonly<Record<string, string>>;

export const EMPTY_DRAFT: Draft = {
  fullName: "",
  phone: "",
  country: "",
  address: "",
  appName: "",
  supportEmail: "",
  contactEmails: [],
  kind: "",
  redirectUris: [""],
  javascriptOrigins: [],
  strictScopes: true,
  acceptTerms: false,
};

/** The fields of each step, in their order on the page. */
export const STEPS = [
  { title: "Responsible person", fields: ["fullName", "phone", "country", "address"] },
  { title: "App", fields: ["appName", "supportEmail", "contactEmails"] },
  { title: "OAuth", fields: ["kind", "redirectUris", "javascriptOrigins", "strictScopes", "acceptTerms"] },
] as const;

const MISSING: Partial<Record<keyof Draft, string>> = {
  fullName: "Enter the full name.",
  phone: "Enter a phone number.",
  country: "Choose a country.",
  address: "Enter a postal address.",
  appName: "Enter an app name.",
  supportEmail: "Enter a support email address.",
  kind: "Choose an app type.",
  acceptTerms: "Accept the terms to continue.",
};

/** Returns the missing fields of a step. The service validates the values. */
export function findStepProblems(draft: Draft, step: number): Problems {
  const problems: Record<string, string> = {};
  for (const field of STEPS[step]?.fields ?? []) {
    const value = draft[field];
    const missing = MISSING[field];
    if (missing && (typeof value === "string" ? value.trim() === "" : !value)) problems[field] = missing;
    if (field === "redirectUris" && nonEmpty(draft.redirectUris).length === 0) {
      problems["redirectUris.0"] = "Enter at least one redirect URI.";
    }
  }
  return problems;
}

/** Returns the problems without those of the given fields, which were edited. */
export function omitProblems(problems: Problems, fields: readonly string[]): Problems {
  return Object.fromEntries(
    Object.entries(problems).filter(([field]) => !fields.includes(field.split(".", 1)[0] ?? "")),
  );
}

/** Returns the trimmed entries without empty ones. */
export const nonEmpty = (entries: readonly string[]) => entries.map((entry) => entry.trim()).filter((entry) => entry);

export function toRegistration(draft: Draft): RegisterOAuthClientInput {
  const { fullName, phone, country, address, appName, supportEmail, acceptTerms } = draft;
  return {
    kind: draft.kind || "CONFIDENTIAL",
    responsible: { fullName, phone, country, address },
    app: { appName, supportEmail, contactEmails: nonEmpty(draft.contactEmails) },
    oauth: {
      redirectUris: nonEmpty(draft.redirectUris),
      javascriptOrigins: nonEmpty(draft.javascriptOrigins),
      acceptTerms,
    },
    strictScopes: draft.strictScopes,
  };
}

/** Returns the step and field of a failure: `app.contactEmails[1]` is entry 1 of that field, in the second step. */
export function locateFailure(failure: Failure | null): { step: number; problems: Problems } | null {
  const path = failure?.field?.match(/\w+/g) ?? [];
  for (const [step, { fields }] of STEPS.entries()) {
    const at = path.findIndex((part) => (fields as readonly string[]).includes(part));
    if (at === -1 || !failure) continue;
    return { step, problems: { [path.slice(at).join(".")]: messageBelowLabel(failure) } };
  }
  return null;
}
