import { requireAccount } from "../src/accounts/viewer.ts";
import type { Context } from "./context.ts";

/** The account whose objects this request may see; every lookup by id is narrowed to it. */
export function ownAccountId(context: Context): string {
  return requireAccount(context.viewer).accountId;
}
