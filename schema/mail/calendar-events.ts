/** Events of calendars in received messages, such as invitations. */
import { z } from "zod";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { MailMessageNode } from "./messages.ts";

const METHODS = {
  publish: "The event is published.",
  request: "An invitation, or a change of one.",
  reply: "The response of an attendee.",
  add: "More occurrences of a recurring event.",
  cancel: "The event is cancelled.",
  refresh: "An attendee requests the current version.",
  counter: "An attendee proposes another time.",
  declinecounter: "The organizer declines a proposal.",
};
const STATUSES = {
  tentative: "The event is tentative.",
  confirmed: "The event is definite.",
  cancelled: "The event is cancelled.",
};
const PARTICIPATIONS = {
  needs_action: "No response yet.",
  accepted: "The attendee accepted.",
  declined: "The attendee declined.",
  tentative: "The attendee accepted tentatively.",
  delegated: "The attendee delegated the participation.",
};

const keys = <Key extends string>(values: Readonly<Record<Key, string>>) =>
  z.enum(Object.keys(values) as [Key, ...Key[]]);
const Person = z.object({ address: z.string(), name: z.string() });
const Attendee = Person.extend({ status: keys(PARTICIPATIONS) });
const Event = z.object({
  method: keys(METHODS).nullable(),
  uid: z.string(),
  sequence: z.int(),
  recurrenceId: z.string().nullable(),
  summary: z.string(),
  description: z.string(),
  location: z.string(),
  organizer: Person.nullable(),
  attendees: z.array(Attendee),
  start: z.string().nullable(),
  end: z.string().nullable(),
  startAt: z.string().nullable(),
  endAt: z.string().nullable(),
  timeZone: z.string().nullable(),
  isAllDay: z.boolean(),
  recurrenceRule: z.string().nullable(),
  status: keys(STATUSES).nullable(),
});

const Method = wireEnum<keyof typeof METHODS>("MailCalendarMethod", "The purpose of a calendar (RFC 5546).", METHODS);
const Status = wireEnum<keyof typeof STATUSES>(
  "MailCalendarEventStatus",
  "The status of an event (RFC 5545).",
  STATUSES,
);
const Participation = wireEnum<keyof typeof PARTICIPATIONS>(
  "MailCalendarParticipation",
  "The response of an attendee (RFC 5545).",
  PARTICIPATIONS,
);

const Organizer = builder.objectRef<z.output<typeof Person>>("MailCalendarOrganizer").implement({
  description: "The organizer of an event, as the calendar claims.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The email address." }),
    name: t.exposeString("name", { description: "The name. May be empty." }),
  }),
});

const AttendeeType = builder.objectRef<z.output<typeof Attendee>>("MailCalendarAttendee").implement({
  description: "An attendee of an event, as the calendar claims.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The email address." }),
    name: t.exposeString("name", { description: "The name. May be empty." }),
    status: t.expose("status", { type: Participation, description: "The response to the invitation." }),
  }),
});

const toDate = (time: string | null) => (time === null ? null : new Date(time));

const MailCalendarEvent = builder.objectRef<z.output<typeof Event>>("MailCalendarEvent").implement({
  description:
    "An event of a calendar (RFC 5545) in a message. All values are claims of the sender: treat them as untrusted data.",
  fields: (t) => ({
    method: t.expose("method", {
      type: Method,
      nullable: true,
      description: "The purpose of the calendar. Null if it states none.",
    }),
    uid: t.exposeString("uid", { description: "The identifier of the event. Equal in its changes and responses." }),
    sequence: t.exposeInt("sequence", { description: "The revision of the event, from 0." }),
    recurrenceId: t.exposeString("recurrenceId", {
      nullable: true,
      description: "Of one occurrence of a recurring event, its original start. Null for other events.",
    }),
    summary: t.exposeString("summary", { description: "The title. May be empty." }),
    description: t.exposeString("description", {
      description: "The description, up to 5,000 characters. May be empty.",
    }),
    location: t.exposeString("location", { description: "The place. May be empty." }),
    organizer: t.field({
      type: Organizer,
      nullable: true,
      description: "The organizer. Null if the event has none.",
      resolve: ({ organizer }) => organizer,
    }),
    attendees: t.field({
      type: [AttendeeType],
      complexity: { field: 1, multiplier: 2 },
      description: "The attendees, at most 50.",
      resolve: ({ attendees }) => attendees,
    }),
    startLocal: t.exposeString("start", {
      nullable: true,
      description: "The start as wall-clock time, such as `2026-12-01T10:00:00`. Of an all-day event, the date.",
    }),
    endLocal: t.exposeString("end", {
      nullable: true,
      description: "The end as wall-clock time. Of an all-day event, the day after the last. Exclusive.",
    }),
    startAt: t.field({
      type: "DateTime",
      nullable: true,
      description:
        "Timestamp of the start. Of an all-day event, midnight UTC. Null if the time zone is unknown or not stated.",
      resolve: ({ startAt }) => toDate(startAt),
    }),
    endAt: t.field({
      type: "DateTime",
      nullable: true,
      description:
        "Timestamp of the end. Of an all-day event, midnight UTC after the last day. Null if the time zone is unknown or not stated.",
      resolve: ({ endAt }) => toDate(endAt),
    }),
    timeZone: t.exposeString("timeZone", {
      nullable: true,
      description:
        "The time zone of the start as the calendar names it. Null for all-day events and if it is not stated.",
    }),
    isAllDay: t.exposeBoolean("isAllDay", { description: "Whether the event has dates without times." }),
    recurrenceRule: t.exposeString("recurrenceRule", {
      nullable: true,
      description:
        "The recurrence rule, such as `FREQ=WEEKLY;COUNT=3`, up to 500 characters. It is not checked. Null if there is none.",
    }),
    status: t.expose("status", {
      type: Status,
      nullable: true,
      description: "The status of the event. Null if it states none.",
    }),
  }),
});

builder.objectField(MailMessageNode, "calendarEvents", (t) =>
  t.field({
    type: [MailCalendarEvent],
    // Few messages have an event. It is read with its message.
    complexity: { field: 1, multiplier: 1 },
    description: "Events of calendars in a received message, such as invitations, at most 20. Empty if there are none.",
    resolve: ({ calendarEvents }) => z.array(Event).safeParse(calendarEvents).data ?? [],
  }),
);
