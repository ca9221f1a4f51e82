/**
 * What is said while a checkout is watched. From the worker a binary message is a picture (JPEG), a text message one of these
 * as JSON; to the worker all are text. A person's page speaks the same with this service, which lets through what it may.
 */
import { z } from "zod";

/** What a person is needed for; null: for nothing any more. */
const Needed = z.enum(["three_d_secure", "security_code"]).nullable();
export type NeededFor = z.output<typeof Needed>;

const Pixels = z.int().min(1).max(16_384);

/** What a worker says. What a newer one adds is left out. */
export const WorkerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("size"), width: Pixels, height: Pixels }),
  /** No picture is shown until it has resumed. */
  z.object({ type: z.literal("paused"), reason: z.string().max(200) }),
  z.object({ type: z.literal("resumed") }),
  z.object({ type: z.literal("person-needed"), for: Needed }),
  z.object({ type: z.literal("ended") }),
]);
export type WorkerMessage = z.output<typeof WorkerMessage>;

/** Of the picture's width, or its height. */
const Share = z.number().min(0).max(1);

const Input = [
  z.strictObject({
    type: z.literal("pointer"),
    event: z.enum(["move", "down", "up", "wheel"]),
    x: Share,
    y: Share,
    button: z.enum(["left", "middle", "right"]).optional(),
    /** Of a wheel, in pixels. */
    deltaY: z.number().min(-10_000).max(10_000).optional(),
  }),
  /** A key by its name (UI Events, `KeyboardEvent.key`). */
  z.strictObject({
    type: z.literal("key"),
    event: z.enum(["down", "up"]),
    key: z.string().regex(/^(?:[A-Z][A-Za-z0-9]{0,24}|\P{C})$/u),
  }),
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(500) }),
  z.strictObject({ type: z.literal("security-code"), code: z.string().regex(/^\d{3,4}$/) }),
] as const;

/** What a person does, as a worker hears it. */
export const InputMessage = z.discriminatedUnion("type", Input);
export type InputMessage = z.output<typeof InputMessage>;

/** What a person's page says to this service: the same, and that a picture was shown. */
export const ViewerMessage = z.discriminatedUnion("type", [...Input, z.strictObject({ type: z.literal("shown") })]);
export type ViewerMessage = z.output<typeof ViewerMessage>;

/** What this service says to a person's page: what the worker says, and what itself knows. */
export type ServerMessage =
  | WorkerMessage
  /** First of all: whether this viewer may act when a person is needed. */
  | { readonly type: "hello"; readonly mayAct: boolean }
  /** Nobody drives the order yet, or its worker is out of reach for now. */
  | { readonly type: "waiting" };
