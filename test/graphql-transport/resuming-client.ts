type Sink = { next(result: { data?: unknown }): void; error(error: unknown): void; complete(): void };
type Payload = { variables?: Record<string, unknown> | null };

/** Makes a client of graphql-ws or graphql-sse resume: each reconnection continues after the last event. The guide documents it. */
export function resumeAfterLastEvent<Client extends { subscribe: unknown }>(client: Client): Client {
  const subscribe = client.subscribe as (payload: Payload, sink: Sink) => () => void;
  return {
    ...client,
    subscribe(payload: Payload, sink: Sink) {
      // Both clients serialise the payload again for each connection.
      const variables = { ...payload.variables };
      return subscribe(
        { ...payload, variables },
        {
          next(result) {
            const [event] = Object.values(result.data ?? {}) as { cursor?: string }[];
            if (event?.cursor) variables["after"] = event.cursor;
            sink.next(result);
          },
          error: (error) => sink.error(error),
          complete: () => sink.complete(),
        },
      );
    },
  };
}
