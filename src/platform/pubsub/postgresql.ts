import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Transport, TransportEvents } from "./transport.ts";

const CHANNEL = "satchel";
/** A PostgreSQL notification has fewer than 8,000 bytes. */
const MAX_BYTES = 7_900;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** A listener only reads: without a probe it would never notice a connection that a firewall dropped. */
const PROBE_INTERVAL_MS = 15_000;
/** Wait for the server to confirm the end of a connection. One that a firewall dropped is never confirmed. */
const END_TIMEOUT_MS = 1_000;

/** Connects a transport over LISTEN and NOTIFY, with a dedicated connection that is reopened after a failure. */
export function connectPostgresql(databaseUrl: string, events: TransportEvents): Transport {
  let client: pg.Client | null = null;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const own = new pg.Client({
      connectionString: databaseUrl,
      application_name: "satchel pub/sub",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    });
    let isLost = false;
    let probe: NodeJS.Timeout | undefined;
    const handleLoss = (error?: unknown) => {
      if (isLost) return;
      isLost = true;
      clearInterval(probe);
      if (client === own) client = null;
      void endConnection(own);
      if (isClosed) return;
      events.onError(error ?? new Error("The PostgreSQL connection ended."));
      timer = setTimeout(connect, retryMs);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    };
    own.on("error", handleLoss);
    own.on("end", () => handleLoss());
    own.on("notification", ({ payload }) => {
      if (payload !== undefined) events.onText(payload);
    });
    try {
      await own.connect();
      // Messages are not durable, so NOTIFY need not wait for the disk. This connection runs no other writes.
      await own.query("SET synchronous_commit = off");
      await own.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      handleLoss(error);
      return;
    }
    if (isLost) return;
    if (isClosed) return await endConnection(own);
    client = own;
    retryMs = FIRST_RETRY_MS;
    probe = setInterval(() => own.query("SELECT 1").catch(handleLoss), PROBE_INTERVAL_MS).unref();
    events.onConnected();
  };
  void connect();

  return {
    maxBytes: MAX_BYTES,
    async send(texts) {
      if (!client) throw new Error("No PostgreSQL connection. The messages were not sent.");
      await client.query({
        name: "notify",
        text: "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message",
        values: [CHANNEL, texts],
      });
    },
    isConnected: () => client !== null,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const own = client;
      client = null;
      if (own) await endConnection(own);
    },
  };
}

/** Ends a connection within `END_TIMEOUT_MS`. Never rejects. */
async function endConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), wait(END_TIMEOUT_MS, undefined, { ref: false })]);
  (client as pg.Client & { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
}
