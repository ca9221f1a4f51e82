/** Calendar events (RFC 5545) in a message, with the methods of invitations (RFC 5546). A line that is malformed is ignored. */
import ICAL from "ical.js";
import { cleanLine, cleanText } from "../clean-text.ts";
import { separateInvisibleCharacters } from "../invisible-characters.ts";
import { type Observance, readWallTime, toInstant, type WallTime } from "./calendar-time.ts";

/** Larger calendars are attachments only. */
export const MAX_CALENDAR_BYTES = 262_144;
export const MAX_EVENTS = 20;
const MAX_ATTENDEES = 50;
const MAX_TEXT_LENGTH = 5_000;
const MAX_LINE_LENGTH = 500;
const MAX_ADDRESS_LENGTH = 320;
const MAX_DEPTH = 20;

const METHODS = ["publish", "request", "reply", "add", "cancel", "refresh", "counter", "declinecounter"] as const;
const STATUSES = ["tentative", "confirmed", "cancelled"] as const;
const PARTICIPATIONS = ["needs_action", "accepted", "declined", "tentative", "delegated"] as const;
export type CalendarMethod = (typeof METHODS)[number];
export type CalendarStatus = (typeof STATUSES)[number];
export type Participation = (typeof PARTICIPATIONS)[number];

export interface CalendarPerson {
  readonly address: string;
  /** May be empty. */
  readonly name: string;
}

/** All values are claims of the sender. */
export interface CalendarEvent {
  readonly method: CalendarMethod | null;
  readonly uid: string;
  readonly sequence: number;
  /** Of one occurrence of a recurring event: its original start. */
  readonly recurrenceId: string | null;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly organizer: CalendarPerson | null;
  readonly attendees: readonly (CalendarPerson & { readonly status: Participation })[];
  /** Wall-clock time, such as `2026-12-01T10:00:00`, or date of an all-day event. */
  readonly start: string | null;
  /** Exclusive. */
  readonly end: string | null;
  /** ISO 8601 in UTC; null if the time zone is unknown or the time has none. */
  readonly startAt: string | null;
  readonly endAt: string | null;
  readonly timeZone: string | null;
  readonly isAllDay: boolean;
  readonly recurrenceRule: string | null;
  readonly status: CalendarStatus | null;
}

/** Name, parameters and value of a property. */
interface Property {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}
type Properties = ReadonlyMap<string, readonly Property[]>;

const READ = new Set(
  [
    "method uid sequence recurrence-id summary description location organizer attendee dtstart dtend duration",
    "rrule status tzid tzoffsetfrom tzoffsetto x-lic-location",
  ].flatMap((names) => names.split(" ")),
);
const LINE = /^([A-Za-z-]{1,30})(?=[;:])/;

/**
 * Reads the events of a calendar. Never throws because of its content.
 * @param method value of the parameter `method` of the content type, if the calendar has none
 */
export function readCalendar(text: string, method: string | null): CalendarEvent[] {
  const { calendar, events, zones } = collectComponents(text);
  const stated = textOf(calendar, "method", 30).toLowerCase() || method?.toLowerCase();
  const known = METHODS.find((one) => one === stated) ?? null;
  return events.slice(0, MAX_EVENTS).flatMap((properties) => toEvent(properties, known, zones) ?? []);
}

function collectComponents(text: string) {
  const calendar = new Map<string, Property[]>();
  const events: Map<string, Property[]>[] = [];
  const zones = new Map<string, Observance[]>();
  const path: { name: string; properties: Map<string, Property[]> }[] = [];
  for (const line of text.replace(/\r?\n[ \t]/g, "").split(/\r?\n|\r/)) {
    const [, begun] = /^BEGIN:\s*([\w-]+)\s*$/i.exec(line) ?? [];
    if (begun !== undefined) {
      if (path.length >= MAX_DEPTH) break;
      path.push({ name: begun.toLowerCase(), properties: begun.toLowerCase() === "vcalendar" ? calendar : new Map() });
      continue;
    }
    if (/^END:/i.test(line)) {
      const ended = path.pop();
      if (ended?.name === "vevent") events.push(ended.properties);
      const zone = path.at(-1);
      if (ended && zone?.name === "vtimezone" && (ended.name === "standard" || ended.name === "daylight"))
        addObservance(zones, zone.properties, ended.properties);
      continue;
    }
    const properties = path.at(-1)?.properties;
    const property = properties && readProperty(line);
    if (property)
      properties.set(property.name, [...(properties.get(property.name) ?? []), property].slice(0, MAX_ATTENDEES));
  }
  return { calendar, events, zones };
}

function readProperty(line: string): (Property & { readonly name: string }) | null {
  const name = LINE.exec(line)?.[1]?.toLowerCase();
  if (name === undefined || !READ.has(name) || line.length > MAX_TEXT_LENGTH * 4) return null;
  // A rule that the library rejects is still shown as text.
  if (name === "rrule") return { name, parameters: {}, value: line.slice(line.indexOf(":") + 1) };
  try {
    const [, parameters, , value] = ICAL.parse.property(line) as unknown as [
      string,
      Record<string, unknown>,
      string,
      unknown,
    ];
    return { name, parameters, value };
  } catch {
    return null;
  }
}

function addObservance(zones: Map<string, Observance[]>, zone: Properties, properties: Properties): void {
  const id = textOf(zone, "tzid", MAX_LINE_LENGTH);
  const start = readWallTime(properties.get("dtstart")?.[0]?.value);
  const observances = zones.get(id) ?? [];
  if (start === null || observances.length >= MAX_EVENTS * 10) return;
  observances.push({
    start,
    rule: textOf(properties, "rrule", MAX_LINE_LENGTH),
    offsetFrom: textOf(properties, "tzoffsetfrom", 10),
    offsetTo: textOf(properties, "tzoffsetto", 10),
    location: textOf(zone, "x-lic-location", MAX_LINE_LENGTH),
  });
  zones.set(id, observances);
}

function toEvent(
  properties: Properties,
  method: CalendarMethod | null,
  zones: ReadonlyMap<string, readonly Observance[]>,
): CalendarEvent | null {
  const uid = textOf(properties, "uid", MAX_LINE_LENGTH);
  const first = properties.get("dtstart")?.[0];
  const start = readWallTime(first?.value);
  if (uid === "" && start === null) return null;
  const isAllDay = start?.isDate ?? false;
  const last = properties.get("dtend")?.[0];
  const end = readWallTime(last?.value) ?? (start && findEnd(start, properties));
  const startZone = zoneOf(first, start);
  const sequence = Number(properties.get("sequence")?.[0]?.value ?? 0);
  const status = textOf(properties, "status", 30).toLowerCase();
  return {
    method,
    uid,
    sequence: Number.isSafeInteger(sequence) && sequence >= 0 && sequence <= 2_147_483_647 ? sequence : 0,
    recurrenceId: readWallTime(properties.get("recurrence-id")?.[0]?.value)?.text ?? null,
    summary: textOf(properties, "summary", MAX_LINE_LENGTH),
    description: cleanText(show(properties.get("description")?.[0]?.value, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH).trim(),
    location: textOf(properties, "location", MAX_LINE_LENGTH),
    organizer: toPerson(properties.get("organizer")?.[0]),
    attendees: (properties.get("attendee") ?? []).flatMap((one) => {
      const person = toPerson(one);
      const stated = String(one.parameters["partstat"]).toLowerCase().replace("-", "_");
      return person ? { ...person, status: PARTICIPATIONS.find((known) => known === stated) ?? "needs_action" } : [];
    }),
    start: start?.text ?? null,
    end: end?.text ?? null,
    startAt: start && toInstant(start, startZone, zones),
    endAt: end && toInstant(end, last ? zoneOf(last, end) : startZone, zones),
    timeZone: startZone,
    isAllDay,
    recurrenceRule: textOf(properties, "rrule", MAX_LINE_LENGTH) || null,
    status: STATUSES.find((known) => known === status) ?? null,
  };
}

/** Returns the time zone of a time; null for dates and for times in the zone of the reader. */
function zoneOf(property: Property | undefined, time: WallTime | null): string | null {
  if (time === null || time.isDate) return null;
  return time.isUtc ? "UTC" : show(property?.parameters["tzid"], MAX_LINE_LENGTH) || null;
}

/** Without `DTEND`: by the duration, or one day for a date (RFC 5545, section 3.6.1). */
function findEnd(start: WallTime, properties: Properties): WallTime {
  const stated = properties.get("duration")?.[0]?.value;
  try {
    const seconds = stated === undefined ? 0 : ICAL.Duration.fromString(String(stated)).toSeconds();
    if (seconds > 0 && Number.isFinite(seconds)) return start.add(seconds) ?? start;
  } catch {
    // As without a duration.
  }
  return (start.isDate ? start.add(86_400) : null) ?? start;
}

function toPerson(property: Property | undefined): CalendarPerson | null {
  const [value, email] = [
    show(property?.value, MAX_ADDRESS_LENGTH),
    show(property?.parameters["email"], MAX_ADDRESS_LENGTH),
  ];
  const address = [value.replace(/^mailto:/i, ""), email].find((one) => /^[^\s@<>]+@[^\s@<>]+$/.test(one));
  return address === undefined ? null : { address, name: show(property?.parameters["cn"], MAX_LINE_LENGTH) };
}

function textOf(properties: Properties, name: string, maxLength: number): string {
  return show(properties.get(name)?.[0]?.value, maxLength).replace(/\s+/g, " ").trim();
}

/** Returns a value as visible text. */
function show(value: unknown, maxLength: number): string {
  const [first] = [value].flat();
  if (typeof first !== "string" && typeof first !== "number") return "";
  const text = separateInvisibleCharacters(String(first).slice(0, maxLength).toWellFormed()).text;
  return text.includes("\n") ? cleanText(text, maxLength) : cleanLine(text, maxLength);
}
