/** Values of the form of a new token. */
import type { CreateApiTokenInput, Scope } from "../../generated/graphql.ts";

/** Problems by the name of the field. */
export type TokenProblems = Readonly<Record<string, string>>;

const AMOUNT = "Enter an amount such as 5 or 0.25.";
const PROBLEMS: TokenProblems = {
  name: "Enter a name.",
  perTransactionLimitUsd: AMOUNT,
  dailyLimitUsd: AMOUNT,
  monthlyLimitUsd: AMOUNT,
  endsOn: "Choose today or a later date, or leave the field empty.",
};

/** Returns problems by the browser's constraint validation. A partial date reads as an empty value, and the token would never expire. */
export function findProblems({ elements }: HTMLFormElement): TokenProblems {
  const isWrong = (name: string) => {
    const field = elements.namedItem(name);
    return field instanceof HTMLInputElement && !field.validity.valid;
  };
  return Object.fromEntries(Object.entries(PROBLEMS).filter(([name]) => isWrong(name)));
}

/** Returns the input of the mutation, without the card budget. An absent field of text means no limit. */
export function readTokenForm(form: FormData): CreateApiTokenInput {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const endsOn = text("endsOn");
  return {
    name: text("name"),
    perTransactionLimitUsd: text("perTransactionLimitUsd") || null,
    dailyLimitUsd: text("dailyLimitUsd") || null,
    monthlyLimitUsd: text("monthlyLimitUsd") || null,
    networks: form.getAll("networks").map(String),
    scopes: form.getAll("scopes").map((scope) => String(scope) as Scope),
    allowedHosts: text("allowedHosts")
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(hostOf),
    expiresAt: endsOn ? `${endsOn}T23:59:59.999Z` : null,
  };
}

/** Returns the host of a pasted URL or of a host with a port. */
function hostOf(text: string): string {
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).hostname : text;
}
