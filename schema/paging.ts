import { z } from "zod";

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

const PageLength = z
  .number()
  .min(1, `must be from 1 to ${MAX_PAGE_SIZE}`)
  .max(MAX_PAGE_SIZE, `must be from 1 to ${MAX_PAGE_SIZE}`)
  .nullish();

/** Pothos writes a string id as `GPC:S:<id>` in base64. */
const Cursor = z
  .string()
  .refine((text) => /^GPC:S:[\w-]{1,1400}$/.test(Buffer.from(text, "base64").toString("latin1")), {
    error: "is not a cursor of this list",
  })
  .nullish();

/** Checks the four arguments of a connection, so that a wrong one is named. */
export const PageArguments = z.looseObject({
  first: PageLength,
  last: PageLength,
  after: Cursor,
  before: Cursor,
});
