/** Connection to a live-view client: sends images at the client's pace and validates and rate-limits its input. */
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { canSend, closeSocket } from "../../platform/graphql/ws-connection.ts";
import { type InputMessage, type ServerMessage, ViewerMessage } from "../worker-protocol/live-messages.ts";

/** Maximum size of a client message; the longest is a text of 500 characters. */
export const MAX_VIEWER_MESSAGE_BYTES = 4_096;
/** Well above fast typing and one pointer event per screen frame. */
const MAX_MESSAGES_PER_SECOND = 150;
/** Maximum number of unacknowledged images, for clients that acknowledge them. */
const MAX_UNACKNOWLEDGED = 2;
/** Sufficient for one image of at most 4 MiB and the messages around it. */
const LIMITS = { maxBufferedBytes: 6 * 1_048_576, closeTimeoutMs: 2_000 };

/** Close codes and reasons. The order page branches on the codes (`web/pages/orders`). */
const CLOSE_REASONS = {
  ended: [1000, "The checkout has ended"],
  stopping: [1001, "Going away"],
  badMessage: [4400, "Invalid live view message"],
  refused: [4401, "The link is invalid or has expired"],
  expired: [4403, "The link has expired"],
  signedOut: [4403, "The session has ended"],
  tooManyViewers: [4429, "Too many viewers"],
  tooFast: [4429, "Too many messages"],
  failed: [1011, "Internal error"],
} as const satisfies Readonly<Record<string, readonly [code: number, reason: string]>>;

export interface ViewerSocket {
  send(message: ServerMessage): void;
  /** Sends an image once earlier ones are acknowledged. A newer image replaces a waiting one. */
  show(jpeg: Buffer): void;
  /** Discards the waiting image. */
  drop(): void;
  close(why: keyof typeof CLOSE_REASONS): void;
}

/** Opens a viewer connection. @param onInput receives validated input; the relay decides whether it is permitted */
export function openViewerSocket(
  socket: WebSocket,
  tcp: Duplex,
  onInput: (message: InputMessage) => void,
): ViewerSocket {
  let newest: Buffer | null = null;
  let isWriting = false;
  // Clients that never acknowledge images receive them as fast as the connection allows.
  let acknowledgesImages = false;
  let unacknowledged = 0;
  let second = 0;
  let messages = 0;

  const close = (why: keyof typeof CLOSE_REASONS) => {
    const [code, reason] = CLOSE_REASONS[why];
    closeSocket(socket, code, reason, LIMITS.closeTimeoutMs);
  };
  const showNext = () => {
    if (newest === null || isWriting || (acknowledgesImages && unacknowledged >= MAX_UNACKNOWLEDGED)) return;
    if (socket.readyState !== WebSocket.OPEN) return;
    const image = newest;
    newest = null;
    isWriting = true;
    unacknowledged += 1;
    socket.send(image, { binary: true, compress: false }, () => {
      isWriting = false;
      showNext();
    });
  };

  socket.on("message", (data, isBinary) => {
    const now = Math.floor(Date.now() / 1_000);
    messages = now === second ? messages + 1 : 1;
    second = now;
    if (messages > MAX_MESSAGES_PER_SECOND) return close("tooFast");
    const message = isBinary ? null : parseMessage(String(data));
    if (message === null) return close("badMessage");
    if (message.type !== "shown") return onInput(message);
    acknowledgesImages = true;
    unacknowledged = Math.max(0, unacknowledged - 1);
    showNext();
  });

  return {
    send(message) {
      if (canSend({ socket, tcp }, LIMITS)) socket.send(JSON.stringify(message));
    },
    show(jpeg) {
      newest = jpeg;
      showNext();
    },
    drop() {
      newest = null;
    },
    close,
  };
}

function parseMessage(text: string): ViewerMessage | null {
  try {
    const message = ViewerMessage.safeParse(JSON.parse(text));
    return message.success ? message.data : null;
  } catch {
    return null;
  }
}
