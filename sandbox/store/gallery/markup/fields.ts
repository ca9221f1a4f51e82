import { html, type SafeHtml } from "../../../mail/html.ts";
import { MARKETS } from "../markets.ts";
import type { View } from "../shape.ts";
import { raw } from "./layout.ts";
import { COUNTRIES, STATES } from "./states.ts";

export type Key =
  | ("email" | "country" | "firstName" | "lastName" | "company" | "address1" | "address2")
  | ("city" | "state" | "postcode" | "phone");

/** One control of an address form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string | null;
  readonly type?: string;
  readonly isRequired: boolean;
  readonly options?: readonly (readonly [value: string, text: string])[];
  readonly value?: string;
}

export interface AddressOptions {
  readonly names?: Partial<Record<Key, string>>;
  readonly labels?: Partial<Record<Key, string>>;
  /** Default: the tokens of the HTML standard. */
  readonly hasAutocomplete?: boolean;
  readonly without?: readonly Key[];
  readonly only?: readonly Key[];
  /** Place of the text that names a field. */
  readonly labelled?: "above" | "placeholder" | "aria" | "beside";
  /** Replaces the control of a field. */
  readonly controls?: Partial<Record<Key, (field: Field, view: View) => SafeHtml>>;
  readonly required?: readonly Key[];
  /** Values of the options of `state`: `CA`, `California` or a number. Default: codes. */
  readonly states?: "codes" | "names" | "numbers";
  /** Whether the country and state are chosen already. Default: the country only. */
  readonly hasCountry?: boolean;
}

const TOKENS: Record<Key, string> = {
  email: "email",
  country: "country",
  firstName: "given-name",
  lastName: "family-name",
  company: "organization",
  address1: "address-line1",
  address2: "address-line2",
  city: "address-level2",
  state: "address-level1",
  postcode: "postal-code",
  phone: "tel",
};
const ENGLISH: Record<Key, string> = {
  email: "Email address",
  country: "Country/Region",
  firstName: "First name",
  lastName: "Last name",
  company: "Company (optional)",
  address1: "Address",
  address2: "Apartment, suite, etc. (optional)",
  city: "City",
  state: "State",
  postcode: "Postcode",
  phone: "Phone",
};
const GERMAN: Record<Key, string> = {
  email: "E-Mail-Adresse",
  country: "Land",
  firstName: "Vorname",
  lastName: "Nachname",
  company: "Firma (optional)",
  address1: "Straße und Hausnummer",
  address2: "Adresszusatz (optional)",
  city: "Ort",
  state: "Bundesland",
  postcode: "Postleitzahl",
  phone: "Telefon",
};
const FRENCH: Record<Key, string> = {
  email: "Adresse e-mail",
  country: "Pays",
  firstName: "Prénom",
  lastName: "Nom",
  company: "Société (facultatif)",
  address1: "Adresse",
  address2: "Complément d'adresse (facultatif)",
  city: "Ville",
  state: "Région",
  postcode: "Code postal",
  phone: "Téléphone",
};
const LABELS: Partial<Record<string, Record<Key, string>>> = { DE: GERMAN, FR: FRENCH };
const KEYS = Object.keys(TOKENS) as Key[];
const OPTIONAL: readonly Key[] = ["company", "address2", "phone"];

/** Renders the fields of an address and email. */
export function address(view: View, options: AddressOptions = {}): SafeHtml {
  const { without = [], only = KEYS, hasAutocomplete = true, labelled = "above", required = [] } = options;
  const { country } = MARKETS[view.market];
  const labels = { ...(LABELS[country] ?? ENGLISH), ...options.labels };
  const states = STATES[country];
  const shown = KEYS.filter((key) => only.includes(key) && !without.includes(key) && (key !== "state" || states));
  return html`${shown.map((key) => {
    const choices = key === "country" ? countryOptions() : key === "state" ? stateOptions(country, options) : undefined;
    const field: Field = {
      name: options.names?.[key] ?? key,
      label: labels[key],
      autocomplete: hasAutocomplete ? TOKENS[key] : null,
      type: { email: "email", phone: "tel" }[key as string] ?? "text",
      isRequired: !OPTIONAL.includes(key) || required.includes(key),
      ...(choices ? { options: choices } : {}),
      value: key === "country" && options.hasCountry !== false ? country : "",
    };
    return options.controls?.[key]?.(field, view) ?? control(field, labelled);
  })}`;
}

const countryOptions = () => Object.entries(COUNTRIES);

function stateOptions(country: string, { states = "codes" }: AddressOptions): [string, string][] {
  return Object.entries(STATES[country] ?? {}).map(([code, name], index) => {
    const value = { codes: code, names: name, numbers: String(index + 1) }[states];
    return [value, name];
  });
}

const nextId = (
  (value) => () =>
    `f${value++}`
)(1);

/** Renders an input or a select with its label. */
export function control(field: Field, labelled: AddressOptions["labelled"] = "above", more = ""): SafeHtml {
  const id = nextId();
  const { name, label, autocomplete, type = "text", isRequired, options, value = "" } = field;
  const attributes = html`name="${name}" ${autocomplete === null ? "" : html`autocomplete="${autocomplete}"`} ${isRequired ? raw("required") : ""} ${raw(more)}`;
  const named = {
    above: html`id="${id}"`,
    placeholder: html`placeholder="${label}"`,
    aria: html`aria-label="${label}"`,
    beside: html`id="${id}" aria-describedby="${id}-hint"`,
  }[labelled];
  const input = options
    ? html`<select ${named} ${attributes}><option value="">${labelled === "placeholder" ? label : "Select…"}</option>${options.map(
        ([option, text]) => html`<option value="${option}" ${option === value ? raw("selected") : ""}>${text}</option>`,
      )}</select>`
    : html`<input type="${type}" ${named} ${attributes} value="${value}">`;
  if (labelled === "above") return html`<p><label for="${id}">${label}</label> ${input}</p>`;
  if (labelled === "beside")
    return html`<p class="row"><span>${label}</span> ${input} <small id="${id}-hint"></small></p>`;
  return html`<p>${input}</p>`;
}

export function checkbox(name: string, label: string, attributes = ""): SafeHtml {
  return html`<p><label><input type="checkbox" name="${name}" value="yes" ${raw(attributes)}> ${label}</label></p>`;
}
