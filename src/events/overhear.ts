import type { PubSub } from "../platform/pubsub.ts";

/** The same pub/sub, with somebody who hears all that this node announces. `onPublish` must not throw. */
export function overhear(pubsub: PubSub, onPublish: (channel: string, payload: string) => void): PubSub {
  return {
    ...pubsub,
    publish(channel, payload) {
      pubsub.publish(channel, payload);
      onPublish(channel, payload);
    },
  };
}
