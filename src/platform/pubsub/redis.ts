import { Redis } from "ioredis";
import type { Transport, TransportEvents } from "./transport.ts";

const CHANNEL = "satchel";
const MAX_BYTES = 262_144;
const MAX_RETRY_MS = 5_000;

/** Connects a transport over Redis PUBLISH and SUBSCRIBE, with two connections as the protocol requires. */
export function connectRedis(redisUrl: string, events: TransportEvents): Transport {
  const options = {
    retryStrategy: (attempt: number) => Math.min(100 * 2 ** attempt, MAX_RETRY_MS),
    enableOfflineQueue: false,
    // The "ready" listener resubscribes, because it must know when the subscription is complete.
    autoResubscribe: false,
  };
  const sender = new Redis(redisUrl, { ...options, commandTimeout: 10_000 });
  const listener = new Redis(redisUrl, options);
  let isListening = false;

  const reportIfConnected = () => {
    if (isListening && sender.status === "ready") events.onConnected();
  };
  for (const connection of [sender, listener]) connection.on("error", events.onError);
  sender.on("ready", reportIfConnected);
  listener.on("ready", () => {
    listener.subscribe(CHANNEL).then(
      () => {
        isListening = true;
        reportIfConnected();
      },
      (error: unknown) => {
        events.onError(error);
        listener.disconnect(true);
      },
    );
  });
  listener.on("close", () => {
    isListening = false;
  });
  listener.on("message", (_channel, text) => events.onText(text));

  return {
    maxBytes: MAX_BYTES,
    async send(texts) {
      await Promise.all(texts.map((text) => sender.publish(CHANNEL, text)));
    },
    isConnected: () => isListening && sender.status === "ready",
    async close() {
      sender.disconnect();
      listener.disconnect();
    },
  };
}
