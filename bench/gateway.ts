/**
 * The gateway against a proxy of thirty lines, which neither knows who asks nor counts what it costs; against the least that does
 * know and keeps it, which shows what those two duties alone cost; and against Portkey's.
 */
import { request } from "undici";
import { type BareProgram, bareTokenHeaders } from "./harness/bare-callers.ts";
import type { Bench, Comparison, Subject } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { fireHttp } from "./harness/load.ts";
import { openAll } from "./harness/opened.ts";
import { installPortkey } from "./harness/portkey.ts";
import { createDatabase } from "./harness/postgresql.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const STREAMS = 8;
const CHUNKS = 500;
const FREE = { contextLength: 8_000, promptUsdPerToken: "0", completionUsdPerToken: "0" };
const PAID = { contextLength: 8_000, promptUsdPerToken: "0.00000001", completionUsdPerToken: "0.00000001" };
const BARE = "bare gateway, free";
const bodyOf = (model: string) => ({
  model,
  messages: [{ role: "user", content: "Where does everything belong?" }],
  max_tokens: CHUNKS,
});

export const gateway: Bench = {
  name: "gateway",
  title: `POST /v1/chat/completions, ${CONNECTIONS} connections, and one at a time`,
  unit: "requests, or chunks of streams",
  needsPostgresql: true,
  open: ({ postgresqlUrl }) =>
    openAll(async (opened) => {
      const llm = opened.add(await startChild<string>("llm"), ({ stop }) => stop());
      const proxy = opened.add(await startChild<string>("llm-proxy", { args: [llm.hello] }), ({ stop }) => stop());
      const models = [
        { id: "bench/free", ...FREE },
        { id: "bench/paid", ...PAID },
      ];
      const provider = { name: "bench", baseUrl: `${llm.hello}/v1`, kind: "key", apiKey: "bench", models };
      const service = await openService(opened, postgresqlUrl ?? "", CONNECTIONS, {
        GATEWAY_PROVIDERS: JSON.stringify([provider]),
      });
      const subjects: Subject[] = [];
      const comparisons: Comparison[] = [];
      const add = (what: string, model: string, run: (load: Load) => Subject["run"], aim?: number, like = what) => {
        const [against, subject] = [`undici proxy, ${like}`, `gateway, ${what}`];
        const url = (origin: string) => `${origin}/v1/chat/completions`;
        if (!subjects.some(({ name }) => name === against)) {
          subjects.push({ name: against, process: proxy, run: run({ url: url(proxy.hello), model, tokens: [{}] }) });
        }
        const load = { url: url(service.baseUrl), model, tokens: service.tokenHeaders };
        subjects.push({ name: subject, process: service.process, run: run(load) });
        comparisons.push({ subject, against, ...(aim === undefined ? {} : { aim }) });
      };
      add("free", "bench/free", whole(CONNECTIONS), 0.6);
      const bareDatabase = opened.add(await createDatabase(postgresqlUrl ?? ""), ({ drop }) => drop());
      const bare = opened.add(
        await startChild<BareProgram>("bare-gateway", { args: [llm.hello, bareDatabase.url] }),
        ({ stop }) => stop(),
      );
      const bareLoad = {
        url: `${bare.hello.baseUrl}/v1/chat/completions`,
        model: "bench/free",
        tokens: bareTokenHeaders(bare.hello),
      };
      subjects.push({ name: BARE, process: bare, run: whole(CONNECTIONS)(bareLoad) });
      comparisons.push({ subject: "gateway, free", against: BARE });
      comparisons.push({ subject: BARE, against: "undici proxy, free" });
      add("free, one at a time", "bench/free", whole(1));
      add("paid from credit", "bench/paid", whole(CONNECTIONS), undefined, "free");
      add(`chunks of ${STREAMS} streams`, "bench/free", streamed);
      const portkey = await installPortkey();
      if ("missing" in portkey) return { subjects, comparisons, skipped: [portkey.missing], close: opened.close };
      const args = [portkey.entry];
      const other = opened.add(await startChild<string>("portkey", { args }), ({ stop }) => stop());
      const url = `${other.hello}/v1/chat/completions`;
      const host = { "x-portkey-provider": "openai", "x-portkey-custom-host": `${llm.hello}/v1` };
      const load = { url, model: "bench/free", tokens: [{ ...host, authorization: "Bearer bench" }] };
      subjects.push({ name: "Portkey", process: other, run: whole(CONNECTIONS)(load) });
      comparisons.push({ subject: "gateway, free", against: "Portkey", aim: 5 });
      return { subjects, comparisons, close: opened.close };
    }),
};

interface Load {
  readonly url: string;
  readonly model: string;
  readonly tokens: readonly Record<string, string>[];
}

const whole =
  (connections: number) =>
  ({ url, model, tokens }: Load) =>
  (durationMs: number) => {
    const body = JSON.stringify(bodyOf(model));
    const headers = { "content-type": "application/json" };
    return fireHttp({ url, method: "POST", connections, body, headers, headersByConnection: tokens }, durationMs);
  };

/** Reads streams one after another, several at a time; answers how many chunks a second came. */
const streamed =
  ({ url, model, tokens }: Load) =>
  async (durationMs: number) => {
    const body = JSON.stringify({ ...bodyOf(model), stream: true });
    const startedMs = performance.now();
    let chunks = 0;
    const read = async (_: unknown, index: number) => {
      const headers = { "content-type": "application/json", ...tokens[index % tokens.length] };
      while (performance.now() - startedMs < durationMs) {
        const answer = await request(url, { method: "POST", headers, body });
        const text = await answer.body.text();
        if (answer.statusCode !== 200 || !text.endsWith("data: [DONE]\n\n"))
          throw new Error(`A stream failed: ${text}`);
        chunks += CHUNKS;
      }
    };
    await Promise.all(Array.from({ length: STREAMS }, read));
    return chunks / ((performance.now() - startedMs) / 1_000);
  };
