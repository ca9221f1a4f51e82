import { z } from "zod";
import { isStorableText } from "../src/platform/database/text.ts";

/** For texts that are kept: what PostgreSQL cannot store is refused here, by name. */
export const StorableText = z
  .string()
  .refine(isStorableText, "holds text that is not valid Unicode, or a NUL character")
  .nullish();

export const StorableTexts = z
  .array(z.string().refine(isStorableText, "holds text that is not valid Unicode, or a NUL character"))
  .nullish();
