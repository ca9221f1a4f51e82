import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Logger } from "../observability/logger.ts";
import type { Subscribers } from "./subscribers.ts";
import type { Transport } from "./transport.ts";

/** A message as it travels; what is longer would not fit the 8,000 bytes of a PostgreSQL notification. */
const MAX_MESSAGE_BYTES = 7_800;
const MAX_WAITING_MESSAGES = 50_000;
const MAX_TEXTS_AT_ONCE = 64;
const RETRY_MS = 250;

/** What one node sends: its name, the number of the first message, and the messages in order. */
type Envelope = readonly [node: string, firstNumber: number, messages: readonly (readonly [string, string])[]];

export interface Outbox {
  /** Takes a message as `encodeMessage` made it. */
  add(message: string): void;
  flush(): void;
  receive(text: string): void;
  /** Sends what waits, if the connection lets it. */
  drain(): Promise<void>;
}

/**
 * Gathers messages and sends many as one. Messages are numbered by sender, so that a receiver hears each once, even if
 * it was sent twice after a doubtful failure, and knows when it missed one.
 */
export function createOutbox(transport: Transport, subscribers: Subscribers, logger: Logger): Outbox {
  const node = randomUUID();
  const waiting: string[] = [];
  /** The number of `waiting[0]`. */
  let firstNumber = 1;
  let sending: Promise<void> | null = null;
  let scheduled = false;
  let isClosing = false;
  const lastNumbers = new LRUCache<string, number>({ max: 1_000 });

  const send = async () => {
    while (waiting.length > 0 && transport.isConnected()) {
      const { texts, count } = pack(node, firstNumber, waiting, transport.maxBytes);
      const numberBefore = firstNumber;
      try {
        await transport.send(texts);
      } catch (error) {
        logger.warn({ err: error }, "announcements were not sent; trying again");
        if (isClosing) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        continue;
      }
      // What overflowed meanwhile is no longer in the queue.
      waiting.splice(0, Math.max(0, numberBefore + count - firstNumber));
      firstNumber = Math.max(firstNumber, numberBefore + count);
    }
  };
  const flush = () => {
    sending ??= send().finally(() => {
      sending = null;
    });
  };

  return {
    add(message) {
      waiting.push(message);
      if (waiting.length > MAX_WAITING_MESSAGES) {
        waiting.shift();
        firstNumber++;
      }
      if (scheduled) return;
      scheduled = true;
      // After the present turn, so that what one request announces travels together.
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    },
    flush,
    receive(text) {
      const [sender, first, messages] = JSON.parse(text) as Envelope;
      if (sender === node) return;
      const last = lastNumbers.get(sender);
      if (last !== undefined && first > last + 1) subscribers.interruptAll();
      messages.forEach(([channel, payload], index) => {
        if (last === undefined || first + index > last) subscribers.deliver(channel, payload);
      });
      lastNumbers.set(sender, Math.max(last ?? 0, first + messages.length - 1));
    },
    async drain() {
      isClosing = true;
      flush();
      await sending;
    },
  };
}

/** A message as it travels, or null when it is too large for some transport. */
export function encodeMessage(channel: string, payload: string): string | null {
  const message = JSON.stringify([channel, payload]);
  return Buffer.byteLength(message) <= MAX_MESSAGE_BYTES ? message : null;
}

/** As many of the waiting messages as fit a reasonable number of texts. */
function pack(node: string, firstNumber: number, waiting: readonly string[], maxBytes: number) {
  const texts: string[] = [];
  let count = 0;
  while (count < waiting.length && texts.length < MAX_TEXTS_AT_ONCE) {
    const head = `["${node}",${firstNumber + count},[`;
    let text = head;
    let bytes = head.length + 2;
    for (let message = waiting[count]; message !== undefined; message = waiting[count]) {
      const more = Buffer.byteLength(message) + 1;
      // The first always goes in: it was checked when it was published.
      if (text !== head && bytes + more > maxBytes) break;
      text += text === head ? message : `,${message}`;
      bytes += more;
      count++;
    }
    texts.push(`${text}]]`);
  }
  return { texts, count };
}
