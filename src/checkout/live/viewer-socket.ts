/** Connection to a live-view client: sends images at the client's pace and validates and rate-limits its input. */
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { closeSocket, hasRoom } from "../../platform/graphql/ws-connection.ts";
import { type InputMessage, type ServerMessage, ViewerMessage } from "../worker-protocol/live-messages.ts";

/** Maximum size of a client message; the longest is a text of 500 characters. */
export const MAX_VIEWER_MESSAGE_BYTES = 4_096;
/** Well above fast typing and one pointer event per screen frame. */
const MAX_MESSAGES_PER_SECOND = 150;
/** Maximum number of unacknowledged images, for clients that acknowledge them. */
const MAX_UNSHOWN = 2;
/** Sufficient for one image of at most 4 MiB and the messages around it. */
const LIMITS = { maxBufferedBytes: 6 * 1_048_576, closeTimeoutMs: 2_000 };

/** Close codes and reasons. The order page branches on the codes (`web/pages/orders`). */
const CLOSINGS = {
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
  tell(word: ServerMessage): void;
  /** Sends an image once earlier ones are acknowledged. A newer image replaces a waiting one. */
  show(jpeg: Buffer): void;
  /** Discards the waiting image. */
  drop(): void;
  close(why: keyof typeof CLOSINGS): void;
}

/** Opens a viewer connection. @param onInput receives validated input; the relay decides whether it is permitted */
export function openViewerSocket(socket: WebSocket, tcp: Duplex, onInput: (word: InputMessage) => void): ViewerSocket {
  let newest: Buffer | null = null;
  let isWriting = false;
  // Clients that never acknowledge images receive them as fast as the connection allows.
  let tellsShown = false;
  let unshown = 0;
  let second = 0;
  let messages = 0;

  const close = (why: keyof typeof CLOSINGS) => {
    const [code, reason] = CLOSINGS[why];
    closeSocket(socket, code, reason, LIMITS.closeTimeoutMs);
  };
  const showNext = () => {
    if (newest === null || isWriting || (tellsShown && unshown >= MAX_UNSHOWN)) return;
    if (socket.readyState !== WebSocket.OPEN) return;
    const picture = newest;
    newest = null;
    isWriting = true;
    unshown += 1;
    socket.send(picture, { binary: true, compress: false }, () => {
      isWriting = false;
      showNext();
    });
  };

  socket.on("message", (data, isBinary) => {
    const now = Math.floor(Date.now() / 1_000);
    messages = now === second ? messages + 1 : 1;
    second = now;
    if (messages > MAX_MESSAGES_PER_SECOND) return close("tooFast");
    const word = isBinary ? null : readWord(String(data));
    if (word === null) return close("badMessage");
    if (word.type !== "shown") return onInput(word);
    tellsShown = true;
    unshown = Math.max(0, unshown - 1);
    showNext();
  });

  return {
    tell(word) {
      if (hasRoom({ socket, tcp }, LIMITS)) socket.send(JSON.stringify(word));
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

function readWord(text: string): ViewerMessage | null {
  try {
    const word = ViewerMessage.safeParse(JSON.parse(text));
    return word.success ? word.data : null;
  } catch {
    return null;
  }
}
