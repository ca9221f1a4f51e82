/** Detection of settings that do not exist, such as a misspelt name. Without it, the default would apply silently. */
import { distance } from "fastest-levenshtein";
import { SETTING_SECTIONS } from "./schema.ts";

export const SETTING_NAMES: ReadonlySet<string> = new Set(
  Object.values(SETTING_SECTIONS).flatMap((section) => Object.keys(section)),
);

/** Variables that libraries, Node and the sandbox read. */
const OTHER_NAMES =
  /^(?:(?:AWS|NODE|OTEL|SANDBOX|npm|NPM|XDG|LC)_.*|PG[A-Z]+|DEBUG|TZ|LANG|PATH|HOME|TMPDIR|NO_COLOR|FORCE_COLOR|(?:https?|no)_proxy|(?:HTTPS?|NO)_PROXY|SSL_CERT_(?:FILE|DIR))$/;
const MIN_LENGTH = 6;
/** Names at least this long may differ in two characters. */
const LONG_NAME = 10;

/**
 * Returns one problem for each name that is no setting.
 *
 * @param names of the environment, which also contains variables of other programs: only names that resemble a setting
 * @param fileNames of the `.env` file, which contains nothing else: every name
 */
export function findUnknownSettings(names: readonly string[], fileNames: readonly string[]): string[] {
  const problems: string[] = [];
  for (const name of new Set([...fileNames, ...names])) {
    if (SETTING_NAMES.has(name) || OTHER_NAMES.test(name)) continue;
    const similar = findSimilar(name);
    if (similar) problems.push(`${name}: there is no such setting; ${similar} is one`);
    else if (fileNames.includes(name)) problems.push(`${name}: there is no such setting; remove it from .env`);
  }
  return problems;
}

function findSimilar(name: string): string | undefined {
  if (name.length < MIN_LENGTH || /[a-z]/.test(name)) return undefined;
  const allowed = name.length < LONG_NAME ? 1 : 2;
  return [...SETTING_NAMES].find((setting) => distance(name, setting) <= allowed);
}
