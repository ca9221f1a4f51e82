import { z } from "zod";
import { isStorableText } from "../src/platform/database/text.ts";

/** Validates stored texts. Text that PostgreSQL cannot store is rejected with the name of its field. */
export const StorableText = z
  .string()
  .refine(isStorableText, "holds text that is not valid Unicode, or a NUL character")
  .nullish();

export const StorableTexts = z
  .array(z.string().refine(isStorableText, "holds text that is not valid Unicode, or a NUL character"))
  .nullish();
