/** Value types of settings, parsed from the text of environment variables. */
import { z } from "zod";
import { parseUsd } from "../money.ts";

const FLAGS = { "0": false, "1": true, false: false, true: true } as const;

/** A boolean without a default: the meaning of an absent flag depends on other settings. */
export const flag = z.enum(["0", "1", "true", "false"]).transform((value) => FLAGS[value]);

export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

export const port = integer(0, 65_535);

/** An amount of US dollars such as `5.00`, parsed into micro-USD. */
export const usdAmount = z.string().transform((value, context) => {
  try {
    return parseUsd(value, "amount");
  } catch {
    context.addIssue({ code: "custom", message: "must be a decimal number of US dollars such as 5.00" });
    return z.NEVER;
  }
});

export const usd = (defaultUsd: string) => usdAmount.prefault(defaultUsd);

export const text = z.string();

/** A non-empty text, such as an API key. */
export const nonEmpty = z.string().min(1);

/** An HTTP URL without trailing slashes, since callers append paths. */
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

function isOriginOnly(value: string): boolean {
  const { pathname, search, hash, username, password } = new URL(value);
  return pathname === "/" && `${search}${hash}${username}${password}` === "";
}

/** The public address of the service: scheme, host and port only. Cookies, passkeys and tokens are bound to this origin. */
export const baseUrl = url.refine(isOriginOnly, {
  message: "must be an origin such as https://satchel.example, without path, query or password",
});

/** A comma-separated list; empty by default. */
export const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** Comma-separated HTTP URLs without trailing slashes. */
export const urls = list.pipe(z.array(url));

const isOrigin = (value: string) => URL.parse(value.replace("//*.", "//"))?.origin === value.replace("//*.", "//");

/** Comma-separated origins. A host that starts with `*.` stands for all its subdomains. */
export const origins = list.refine((values) => values.every(isOrigin), "must be origins such as https://pay.example");

/** Tokens or signing secrets that the operator generates, comma separated: all are valid, so that one can be replaced without an interruption. Empty by default. */
export const secrets = list.refine(
  (values) => values.every((value) => value.length >= 32),
  "must have at least 32 characters; several are separated by commas",
);

/** @param rule the message for a value that does not match, such as "must be an address" */
export const matching = (pattern: RegExp, rule: string) => z.string().regex(pattern, rule);

const isKey = (value: string) => z.base64().safeParse(value).success && Buffer.from(value, "base64").length === 32;

export const key = z.string().refine(isKey, "must be 32 bytes in base64");

export const keys = list.refine((values) => values.every(isKey), "must be keys of 32 bytes in base64, comma separated");
