/** Connections to PostgreSQL, or to PGlite (PostgreSQL in this process) if no server is configured. Both use the same SQL. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { PrismaClient } from "../../../generated/prisma/client.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { convertStatementError } from "./errors.ts";

/** A named (prepared) statement, which the server parses once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Database {
  readonly kind: "pglite" | "postgresql";
  readonly prisma: PrismaClient;
  /**
   * Runs `use` with a separate connection for the migration engine, which acquires a session-level advisory lock and never
   * releases it.
   */
  withMigrationAdapter<Result>(
    use: (factory: SqlMigrationAwareDriverAdapterFactory) => Promise<Result>,
  ): Promise<Result>;
  /** Runs one statement, for hot paths. Parses `bigint` as bigint, `numeric` as string and `timestamptz` as Date. */
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Runs SQL that may have several statements, as pg-boss requires. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
}

/** Maximum wait for a connection: while the server is unreachable or the pool is exhausted, requests fail fast. */
const CONNECTION_TIMEOUT_MS = 3_000;
const INT8 = 20;
const NUMERIC = 1700;
const DATE = 1082;
const TEXT_ARRAY = 1009;

/** Parsed arrays by their text: every request reads the same few (scopes, networks, budgets). Shared, so they are frozen. */
const textArrays = new LRUCache<string, readonly string[]>({ max: 10_000 });
/** Longer arrays contain untrusted input, such as the addresses of an email, and are not cached. */
const MAX_SHARED_CHARS = 512;
const parseTextArray: (text: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY as number);

function readTextArray(text: string): readonly string[] {
  const cached = textArrays.get(text);
  if (cached) return cached;
  const list = Object.freeze(parseTextArray(text));
  if (text.length <= MAX_SHARED_CHARS) textArrays.set(text, list);
  return list;
}

/** Connects to the server at `databaseUrl`, or opens the embedded database in `dataDir` (`memory://`: in memory only). */
export async function openDatabase(options: {
  databaseUrl?: string | undefined;
  dataDir: string;
  poolSize?: number;
  /** Maximum duration of a statement on a server; unlimited by default, for commands. */
  timeoutMs?: number;
}): Promise<Database> {
  return options.databaseUrl
    ? openServer(options.databaseUrl, options.poolSize ?? 16, options.timeoutMs)
    : await openEmbedded(options.dataDir);
}

export function embeddedDatabaseExists(dataDir: string): boolean {
  return existsSync(join(embeddedFolder(dataDir), "PG_VERSION"));
}

const embeddedFolder = (dataDir: string) => join(dataDir, "pglite");

function openServer(connectionString: string, poolSize: number, timeoutMs: number | undefined): Database {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });
  pool.on("release", (_error, client) => closeUnanswered(client));
  // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
  pool.on("error", () => {});
  const types = {
    getTypeParser: ((oid: number, format?: "text" | "binary") => {
      if (oid === INT8) return BigInt;
      if (oid === NUMERIC || oid === DATE) return String;
      if (oid === TEXT_ARRAY) return readTextArray;
      return pg.types.getTypeParser(oid, format as "text");
    }) as typeof pg.types.getTypeParser,
  };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    kind: "postgresql",
    prisma,
    async withMigrationAdapter(use) {
      const migrationPool = new pg.Pool({ connectionString, max: 1 });
      try {
        return await use(runScriptsWhole(new PrismaPg(migrationPool), (script) => migrationPool.query(script)));
      } finally {
        await migrationPool.end();
      }
    },
    async query<Row extends object>({ name, text }: Statement, values: readonly unknown[]) {
      try {
        return (await pool.query<Row>({ name, text, values: values as unknown[], types })).rows;
      } catch (error) {
        throw convertStatementError(error);
      }
    },
    executeSql: (text, values) => pool.query(text, values),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/**
 * Closes a connection whose last statement has no response: the server hangs, or the network discards packets. The next user
 * of the connection would wait behind that statement. The pool replaces it.
 */
function closeUnanswered(client: pg.PoolClient): void {
  const { _activeQuery: active, connection } = client as pg.PoolClient & {
    readonly _activeQuery?: object | null;
    readonly connection?: { readonly stream: { destroy(): void } };
  };
  if (active) connection?.stream.destroy();
}

/**
 * Makes the adapter run each script as one query, which the database runs in one transaction, and wait for it. Prisma's
 * adapter splits scripts at every `;`, also in comments. That of PGlite does not wait, so failures would be lost.
 */
function runScriptsWhole(
  factory: SqlMigrationAwareDriverAdapterFactory,
  run: (script: string) => Promise<unknown>,
): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return {
    ...{ provider, adapterName },
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = async (script) => void (await run(script));
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}

async function openEmbedded(dataDir: string): Promise<Database> {
  const inMemory = dataDir === "memory://";
  const release = inMemory ? () => {} : lockDataDir(dataDir);
  const extensions = { pg_trgm };
  try {
    const embedded = await PGlite.create(inMemory ? "memory://" : embeddedFolder(dataDir), { extensions });
    const parsers = { [INT8]: BigInt, [NUMERIC]: String, [DATE]: String, [TEXT_ARRAY]: readTextArray };
    const adapterFactory = new PrismaPGlite(embedded);
    const prisma = new PrismaClient({ adapter: adapterFactory });
    return {
      kind: "pglite",
      prisma,
      withMigrationAdapter: (use) =>
        use({
          ...runScriptsWhole(adapterFactory, (script) => embedded.exec(script)),
          // That of the adapter has no extensions.
          async connectToShadowDb() {
            const shadow = await PGlite.create("memory://", { extensions });
            return await new PrismaPGlite(shadow).connect();
          },
        }),
      async query<Row extends object>({ text }: Statement, values: readonly unknown[]) {
        return (await embedded.query<Row>(text, values as unknown[], { parsers })).rows;
      },
      async executeSql(text, values) {
        if (values && values.length > 0) return await embedded.query(text, values);
        const results = await embedded.exec(text);
        return { rows: results.at(-1)?.rows ?? [] };
      },
      async close() {
        await prisma.$disconnect();
        await embedded.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
