/** Connection to the worker that drives an order: receives its images and messages, and sends it the viewer's input. */
import { setTimeout as after } from "node:timers/promises";
import { type RawData, WebSocket } from "ws";
import type { Logger } from "../../platform/observability/logger.ts";
import { type InputMessage, WorkerMessage } from "../worker-protocol/live-messages.ts";

const MAX_MESSAGE_BYTES = 4 * 1_048_576;
const HANDSHAKE_TIMEOUT_MS = 5_000;
const MIN_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 4_000;
/** Send buffer for a slow worker; viewer input beyond it is dropped. */
const MAX_BUFFERED_BYTES = 65_536;
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

export interface WorkerListener {
  onImage(jpeg: Buffer): void;
  onMessage(message: WorkerMessage): void;
  /** The worker is unreachable; its earlier messages may be outdated. */
  onLost(): void;
}

export interface WorkerSocket {
  /** Sends a message; drops it while the worker is unreachable. */
  send(message: InputMessage): void;
  close(): void;
}

export interface WorkerAddress {
  readonly workerUrl: string;
  readonly lease: string;
}

/** Connects to the worker that has the lease, and reconnects with back-off until closed. */
export function openWorkerSocket(
  { workerToken, logger }: { readonly workerToken: string; readonly logger: Logger },
  address: WorkerAddress,
  listener: WorkerListener,
): WorkerSocket {
  const closing = new AbortController();
  let current: WebSocket | null = null;
  const stayConnected = async () => {
    for (let retryDelayMs = MIN_RETRY_DELAY_MS; !closing.signal.aborted; ) {
      const socket = connect(address, workerToken);
      current = socket;
      const wasOpen = await listen(socket, listener, (reason) =>
        logger.warn({ reason }, "Connection to a checkout worker failed; reconnecting"),
      );
      current = null;
      if (closing.signal.aborted) return;
      listener.onLost();
      retryDelayMs = wasOpen ? MIN_RETRY_DELAY_MS : Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS);
      await after(retryDelayMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  void stayConnected();
  return {
    send(message) {
      if (current?.readyState === WebSocket.OPEN && current.bufferedAmount <= MAX_BUFFERED_BYTES) {
        current.send(JSON.stringify(message));
      }
    },
    close() {
      closing.abort();
      current?.terminate();
    },
  };
}

function connect({ workerUrl, lease }: WorkerAddress, token: string): WebSocket {
  const address = `${workerUrl.replace(/\/+$/, "")}/live/${encodeURIComponent(lease)}`.replace(/^http/, "ws");
  return new WebSocket(address, {
    headers: { authorization: `Bearer ${token}` },
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    followRedirects: false,
  });
}

/** Handles the events of a socket. Resolves once it has closed, with whether it had opened. */
function listen(socket: WebSocket, listener: WorkerListener, onError: (reason: string) => void): Promise<boolean> {
  let wasOpen = false;
  socket.on("open", () => {
    wasOpen = true;
  });
  // Error messages contain an address or a status, never message content.
  socket.on("error", ({ message }) => onError(message));
  socket.on("message", (data, isBinary) => {
    if (isBinary) {
      const jpeg = bytesOf(data);
      if (jpeg.subarray(0, JPEG_START.length).equals(JPEG_START)) listener.onImage(jpeg);
      return;
    }
    const message = WorkerMessage.safeParse(parse(String(data)));
    if (message.success) listener.onMessage(message.data);
  });
  return new Promise((resolve) => socket.once("close", () => resolve(wasOpen)));
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
