/**
 * Messages of the live view. Workers send images (JPEG) as binary messages and everything else as JSON text; they receive
 * only JSON text. Viewers' pages use the same protocol with this service, which relays permitted messages.
 */
import { z } from "zod";

/** Action required from the cardholder; null: none any more. */
const Needed = z.enum(["three_d_secure", "security_code"]).nullable();
export type NeededFor = z.output<typeof Needed>;

/** Operator of a page. `unknown`: none of the order's merchant, the known card processors and the known 3-D Secure services. */
const Party = z.enum(["merchant", "processor", "issuer", "unknown"]);
export type Party = z.output<typeof Party>;

/** Maximum length of an origin with a host name of 253 characters. */
export const MAX_ORIGIN_LENGTH = 300;
export const MAX_HOST_LENGTH = 255;

/** Where a document is from. The origin is null if the document has none, such as `about:blank`. */
const Place = {
  origin: z
    .string()
    .max(MAX_ORIGIN_LENGTH)
    .regex(/^https?:\/\/[^\s/]+$/)
    .nullable(),
  party: Party,
};

const Pixels = z.int().min(1).max(16_384);

/** Message from a worker. Unknown members of newer versions are dropped. */
export const WorkerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("size"), width: Pixels, height: Pixels }),
  /** No images are shown until `resumed`. */
  z.object({ type: z.literal("paused"), reason: z.string().max(200) }),
  z.object({ type: z.literal("resumed") }),
  z.object({ type: z.literal("person-needed"), for: Needed }),
  z.object({
    type: z.literal("page"),
    ...Place,
    /** Subject of the page's TLS certificate; null without TLS. */
    certificateHost: z.string().min(1).max(MAX_HOST_LENGTH).nullable(),
    /** The frame that shows a 3-D Secure challenge; null if there is none. */
    frame: z.object(Place).nullable(),
  }),
  z.object({ type: z.literal("ended") }),
]);
export type WorkerMessage = z.output<typeof WorkerMessage>;

/** Fraction of the image's width or height. */
const Fraction = z.number().min(0).max(1);

const Input = [
  z.strictObject({
    type: z.literal("pointer"),
    event: z.enum(["move", "down", "up", "wheel"]),
    x: Fraction,
    y: Fraction,
    button: z.enum(["left", "middle", "right"]).optional(),
    /** Wheel movement in pixels. */
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

/** Viewer input, as relayed to a worker. */
export const InputMessage = z.discriminatedUnion("type", Input);
export type InputMessage = z.output<typeof InputMessage>;

/** Message from a viewer's page: input, or the acknowledgement that an image was shown. */
export const ViewerMessage = z.discriminatedUnion("type", [...Input, z.strictObject({ type: z.literal("shown") })]);
export type ViewerMessage = z.output<typeof ViewerMessage>;

/** Message to a viewer's page: those of the worker, and those of this service. */
export type ServerMessage =
  | WorkerMessage
  /** First message: whether this viewer may act when the cardholder is needed. */
  | { readonly type: "hello"; readonly mayAct: boolean }
  /** No worker drives the order yet, or its worker is temporarily unreachable. */
  | { readonly type: "waiting" };
