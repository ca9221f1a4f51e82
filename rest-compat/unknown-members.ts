/** Members of a request that its route does not name. They are refused: a dropped cap or filter would widen the request. */
import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { describeKnownNames } from "./nearest-name.ts";

export interface UnknownMember {
  /** The path, such as `requestData.headers` or `items[0].price`. */
  readonly path: string;
  readonly name: string;
  /** The names that a member of the same object may have. */
  readonly known: readonly string[];
  readonly kind: "parameter" | "member";
}

/** Receives each unknown member of a request before the rest of the input is validated. */
export type OnUnknown = (member: UnknownMember) => void;

export type UnknownMemberMode = "refuse" | "log";

/** Callers choose the names, which messages and log lines repeat. */
const MAX_NAME_CHARS = 80;
const MAX_LOGGED_NAMES = 100;
const LOG_INTERVAL_MS = 3_600_000;

/** The members of an object or of an array's elements; null for a free-form object and for any other value. */
type Names = { readonly members: ReadonlyMap<string, Names> } | { readonly elements: Names } | null;

const namesBySchema = new WeakMap<z.ZodType, Names>();

/** Returns the unknown members of a value, those of the outer objects first. */
export function findUnknownMembers(schema: z.ZodType, value: unknown, kind: UnknownMember["kind"]): UnknownMember[] {
  const found: UnknownMember[] = [];
  const visit = (names: Names, part: unknown, path: string): void => {
    if (names === null || typeof part !== "object" || part === null) return;
    if ("elements" in names) {
      if (!Array.isArray(part)) return;
      for (const [i, element] of part.entries()) visit(names.elements, element, `${path}[${i}]`);
      return;
    }
    if (Array.isArray(part)) return;
    const { members } = names;
    const join = (name: string) => (path === "" ? name : `${path}.${name}`);
    for (const name of Object.keys(part)) {
      if (members.has(name)) continue;
      const shown = showName(name);
      found.push({ path: join(shown), name: shown, known: [...members.keys()], kind });
    }
    for (const [name, inner] of members)
      if (inner !== null && Object.hasOwn(part, name))
        visit(inner, (part as Record<string, unknown>)[name], join(name));
  };
  visit(getNames(schema), value, "");
  return found;
}

/** Returns a name as messages contain it: shortened, and quoted if it would be invisible. */
function showName(name: string): string {
  if (name.trim() === "") return JSON.stringify(name.slice(0, MAX_NAME_CHARS));
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}

function getNames(schema: z.ZodType): Names {
  const known = namesBySchema.get(schema);
  if (known !== undefined) return known;
  const names = readNames(schema);
  namesBySchema.set(schema, names);
  return names;
}

function readNames(schema: z.ZodType): Names {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return getNames(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return getNames(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const elements = getNames(schema.element as z.ZodType);
    return elements && { elements };
  }
  if (!(schema instanceof z.ZodObject) || schema.def.catchall instanceof z.ZodUnknown) return null;
  const members = Object.entries(schema.shape).map(([name, member]) => [name, getNames(member as z.ZodType)] as const);
  return { members: new Map(members) };
}

/** @throws {InvalidRequestError} that names the member, and the nearest known name or else all of them */
export function refuseUnknown({ path, name, known, kind }: UnknownMember): never {
  // The usual cause is a URL in another parameter that was not percent-encoded.
  const hint = known.includes("url") && kind === "parameter" ? " If it is part of url, percent-encode url." : "";
  throw new InvalidRequestError(`Unknown ${kind} ${path}. ${describeKnownNames(name, known, `${kind}s`)}${hint}`, path);
}

/**
 * Returns the handler of a route's unknown members. In mode `log` it writes one line for each name in an hour, without the
 * value.
 */
export function createUnknownMemberHandler(mode: UnknownMemberMode, route: string, log: FastifyBaseLogger): OnUnknown {
  if (mode === "refuse") return refuseUnknown;
  const loggedAtMs = new Map<string, number>();
  return ({ path, kind }) => {
    const place = path.replaceAll(/\[\d+\]/g, "[]");
    const nowMs = Date.now();
    const lastMs = loggedAtMs.get(place);
    if (lastMs === undefined ? loggedAtMs.size >= MAX_LOGGED_NAMES : nowMs - lastMs < LOG_INTERVAL_MS) return;
    loggedAtMs.set(place, nowMs);
    log.warn({ route, [kind]: place }, `Unknown ${kind} ignored`);
  };
}
