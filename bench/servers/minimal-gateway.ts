/**
 * A minimal gateway with authentication and usage records. It reads the caller by the hash of the token, calls the provider,
 * records the call and logs it. Concurrent look-ups share a statement, as do the records of 25 ms. It has no limits, prices,
 * provider selection, metrics or GraphQL. Arguments: the URL of the provider, and DATABASE_URL.
 */
import type { AddressInfo } from "node:net";
import { fastify, LogController } from "fastify";
import pg from "pg";
import { Pool } from "undici";
import { createMinimalCallers } from "../harness/minimal-callers.ts";
import { serveParent } from "../harness/serve-parent.ts";

const RECORD_AFTER_MS = 25;

interface Completion {
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

const [providerUrl = "", databaseUrl] = process.argv.slice(2);
const provider = new Pool(providerUrl, { connections: 64 });
const database = new pg.Pool({ connectionString: databaseUrl, max: 16 });
const { tokens, findAccountId } = await createMinimalCallers(database);
await database.query(`
  CREATE TABLE bare_calls (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id int NOT NULL, model text NOT NULL,
    prompt_tokens int NOT NULL, completion_tokens int NOT NULL, created_at timestamptz NOT NULL)`);

let calls: object[] = [];
function record(call: object): void {
  if (calls.push(call) > 1) return;
  setTimeout(() => {
    const text = `INSERT INTO bare_calls (account_id, model, prompt_tokens, completion_tokens, created_at)
      SELECT * FROM json_to_recordset($1::json) AS c (account_id int, model text, prompt_tokens int, completion_tokens int,
        created_at timestamptz)`;
    const values = [JSON.stringify(calls)];
    calls = [];
    void database.query({ name: "record-calls", text, values });
  }, RECORD_AFTER_MS);
}

const app = fastify({ logger: true, logController: new LogController({ disableRequestLogging: true }) });
app.post("/v1/chat/completions", async (request) => {
  const accountId = await findAccountId(request.headers["x-service-token"]);
  const call = request.body as { readonly model: string };
  const response = await provider.request({
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer bench" },
    body: JSON.stringify(call),
  });
  const completion = (await response.body.json()) as Completion;
  const { prompt_tokens, completion_tokens } = completion.usage;
  record({ account_id: accountId, model: call.model, prompt_tokens, completion_tokens, created_at: new Date() });
  request.log.info({ model: call.model, status: 200 }, "request");
  return completion;
});
await app.listen({ port: 0, host: "127.0.0.1" });
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
serveParent({ baseUrl, tokens }, { close: () => database.end() });
