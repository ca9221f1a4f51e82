/** A registration on its way: what each of its three steps holds, and what is plainly wrong with it. */
import type { OAuthClientKind, RegisterOAuthClientInput } from "../../generated/graphql.ts";
import { type Failure, underLabel } from "../../graphql/match-result.ts";

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
  readonly acceptTerms: boolean;
}

/** By field; entries of a list as `redirectUris.0`. */
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
  acceptTerms: false,
};

/** The fields of each step, in their order on the page. */
export const STEPS = [
  { title: "Who answers for it", fields: ["fullName", "phone", "country", "address"] },
  { title: "The app", fields: ["appName", "supportEmail", "contactEmails"] },
  { title: "OAuth", fields: ["kind", "redirectUris", "javascriptOrigins", "acceptTerms"] },
] as const;

const MISSING: Partial<Record<keyof Draft, string>> = {
  fullName: "Who answers for the app?",
  phone: "Under which number can they be reached?",
  country: "Choose a country.",
  address: "Where do they live, or have their office?",
  appName: "What is the app called?",
  supportEmail: "Where do its users find help?",
  kind: "Choose what it is.",
  acceptTerms: "Accept the terms to go on.",
};

/** What is missing in a step. Whether what is there is right, the service says. */
export function problemsOfStep(draft: Draft, step: number): Problems {
  const problems: Record<string, string> = {};
  for (const field of STEPS[step]?.fields ?? []) {
    const value = draft[field];
    const missing = MISSING[field];
    if (missing && (typeof value === "string" ? value.trim() === "" : !value)) problems[field] = missing;
    if (field === "redirectUris" && filled(draft.redirectUris).length === 0) {
      problems["redirectUris.0"] = "Where are people sent back to? At least one address is needed.";
    }
  }
  return problems;
}

/** What is left when these fields have been written in again. */
export function without(problems: Problems, fields: readonly string[]): Problems {
  return Object.fromEntries(
    Object.entries(problems).filter(([place]) => !fields.includes(place.split(".", 1)[0] ?? "")),
  );
}

/** Entries that somebody wrote into. */
export const filled = (entries: readonly string[]) => entries.map((entry) => entry.trim()).filter((entry) => entry);

export function registrationOf(draft: Draft): RegisterOAuthClientInput {
  const { fullName, phone, country, address, appName, supportEmail, acceptTerms } = draft;
  return {
    kind: draft.kind || "CONFIDENTIAL",
    responsible: { fullName, phone, country, address },
    app: { appName, supportEmail, contactEmails: filled(draft.contactEmails) },
    oauth: {
      redirectUris: filled(draft.redirectUris),
      javascriptOrigins: filled(draft.javascriptOrigins),
      acceptTerms,
    },
  };
}

/** Where the service found a fault: `app.contactEmails.1` is entry 1 of that field, in the second step. */
export function placeOf(failure: Failure | null): { step: number; problems: Problems } | null {
  const path = failure?.field?.split(".") ?? [];
  for (const [step, { fields }] of STEPS.entries()) {
    const at = path.findIndex((part) => (fields as readonly string[]).includes(part));
    if (at === -1 || !failure) continue;
    return { step, problems: { [path.slice(at).join(".")]: underLabel(failure) } };
  }
  return null;
}
