import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Logger } from "../observability/logger.ts";
import type { Subscribers } from "./subscribers.ts";
import type { Transport } from "./transport.ts";

/** Maximum size of an encoded message. Message and envelope must fit into a PostgreSQL notification (8,000 bytes). */
const MAX_MESSAGE_BYTES = 7_800;
const MAX_WAITING_MESSAGES = 50_000;
const MAX_TEXTS_AT_ONCE = 64;
const RETRY_MS = 250;

/** One transmission: the sending node, the sequence number of the first message, and the messages in order. */
type Envelope = readonly [node: string, firstNumber: number, messages: readonly (readonly [string, string])[]];

export interface Outbox {
  /** Queues a message that `encodeMessage` returned. Drops the oldest queued message if the queue is full. */
  add(message: string): void;
  flush(): void;
  receive(text: string): void;
  /** Sends the queued messages before shutdown, if the transport is connected. A failed send is not retried. */
  drain(): Promise<void>;
}

/**
 * Creates a queue that sends messages in batches. Messages are numbered per sender, so receivers detect gaps and discard
 * duplicates. A retry after an ambiguous failure can send duplicates.
 */
export function createOutbox(transport: Transport, subscribers: Subscribers, logger: Logger): Outbox {
  const node = randomUUID();
  const waiting: string[] = [];
  /** Sequence number of `waiting[0]`. */
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
        logger.warn({ err: error }, "Pub/sub messages not sent; retry scheduled");
        if (isClosing) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        continue;
      }
      // Messages dropped on overflow during the send are no longer in the queue.
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
      // Deferred until the end of the event loop iteration, so the messages of one request form one batch.
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

/** Encodes a message for transmission. Returns null if the result exceeds `MAX_MESSAGE_BYTES`, on any transport. */
export function encodeMessage(channel: string, payload: string): string | null {
  const message = JSON.stringify([channel, payload]);
  return Buffer.byteLength(message) <= MAX_MESSAGE_BYTES ? message : null;
}

/** Packs waiting messages into at most `MAX_TEXTS_AT_ONCE` texts. */
function pack(node: string, firstNumber: number, waiting: readonly string[], maxBytes: number) {
  const texts: string[] = [];
  let count = 0;
  while (count < waiting.length && texts.length < MAX_TEXTS_AT_ONCE) {
    const head = `["${node}",${firstNumber + count},[`;
    let text = head;
    let bytes = head.length + 2;
    for (let message = waiting[count]; message !== undefined; message = waiting[count]) {
      const more = Buffer.byteLength(message) + 1;
      // The first message always fits: its size was checked when it was published.
      if (text !== head && bytes + more > maxBytes) break;
      text += text === head ? message : `,${message}`;
      bytes += more;
      count++;
    }
    texts.push(`${text}]]`);
  }
  return { texts, count };
}
