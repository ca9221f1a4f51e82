/** The line to whoever watches a checkout: pictures as fast as they are looked at, and what they do, checked and bounded. */
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { closeSocket, hasRoom } from "../../platform/graphql/ws-connection.ts";
import { type InputMessage, type ServerMessage, ViewerMessage } from "../worker-protocol/live-messages.ts";

/** What one of them may say; the longest is a text of 500 characters. */
export const MAX_VIEWER_MESSAGE_BYTES = 4_096;
/** Fast typing and a pointer that moves with every frame of a screen stay far below it. */
const MAX_MESSAGES_PER_SECOND = 150;
/** Pictures on their way to a page that says which it has shown. */
const MAX_UNSHOWN = 2;
/** One picture at a time, of 4 MiB at most, and the words beside it. */
const LIMITS = { maxBufferedBytes: 6 * 1_048_576, closeTimeoutMs: 2_000 };

/** Why a line is closed, as the page branches on it (`web/pages/orders`). */
const CLOSINGS = {
  ended: [1000, "The checkout is over"],
  stopping: [1001, "Going away"],
  badMessage: [4400, "This is no message of the live view"],
  refused: [4401, "The link is not valid, or its time is over"],
  expired: [4403, "The link's time is over"],
  signedOut: [4403, "The session has ended"],
  tooManyViewers: [4429, "Too many watch this checkout"],
  tooFast: [4429, "Too many messages"],
  failed: [1011, "Something went wrong here"],
} as const satisfies Readonly<Record<string, readonly [code: number, reason: string]>>;

export interface ViewerSocket {
  tell(word: ServerMessage): void;
  /** Shows a picture once the ones before it have been seen; of those that come meanwhile, the newest. */
  show(jpeg: Buffer): void;
  /** Forgets a picture that waits. */
  drop(): void;
  close(why: keyof typeof CLOSINGS): void;
}

/** @param onInput is told what they do, as it comes; whether they may is for the relay to judge */
export function openViewerSocket(socket: WebSocket, tcp: Duplex, onInput: (word: InputMessage) => void): ViewerSocket {
  let newest: Buffer | null = null;
  let isWriting = false;
  // Who never says what was shown is sent what the connection takes.
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
