/** The kinds of value that settings have, as they are written in an environment. */
import { z } from "zod";
import { parseUsd } from "../money.ts";

const FLAGS = { "0": false, "1": true, false: false, true: true } as const;

/** Without a default of its own: what it means when absent depends on other settings. */
export const flag = z.enum(["0", "1", "true", "false"]).transform((value) => FLAGS[value]);

export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

export const port = integer(0, 65_535);

/** US dollars such as `5.00`, read as micro-USD. */
export const usd = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((value, context) => {
      try {
        return parseUsd(value, "amount");
      } catch {
        context.addIssue({ code: "custom", message: "must be a decimal number of US dollars such as 5.00" });
        return z.NEVER;
      }
    });

export const text = z.string();

/** A text that is there, such as another service's key. */
export const nonEmpty = z.string().min(1);

/** Read without its last slash: paths are added to it. */
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

/** Comma separated; empty where it is not set. */
export const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** What opens or signs something, made by the operator. */
export const secret = z.string().min(32, "must have at least 32 characters");

/** @param rule said of a value that does not match, such as "must be an address" */
export const matching = (pattern: RegExp, rule: string) => z.string().regex(pattern, rule);

const isKey = (value: string) => z.base64().safeParse(value).success && Buffer.from(value, "base64").length === 32;

export const key = z.string().refine(isKey, "must be 32 bytes in base64");

export const keys = list.refine((values) => values.every(isKey), "must be keys of 32 bytes in base64, comma separated");
