/**
 * The gateway beside three baselines. The proxy of thirty lines neither authenticates nor records usage. The minimal gateway does
 * both, and shows the cost of these two functions. The third is Portkey's gateway.
 */
import { request } from "undici";
import type { Bench, Comparison, Subject } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { runHttpLoad } from "./harness/load.ts";
import { createTokenHeaders, type MinimalProgram } from "./harness/minimal-callers.ts";
import { installPortkey } from "./harness/portkey.ts";
import { createDatabase } from "./harness/postgresql.ts";
import { openResources } from "./harness/resources.ts";
import { openService } from "./harness/service.ts";

const CONNECTIONS = 32;
const STREAMS = 8;
const CHUNKS = 500;
const FREE = { contextLength: 8_000, promptUsdPerToken: "0", completionUsdPerToken: "0" };
const PAID = { contextLength: 8_000, promptUsdPerToken: "0.00000001", completionUsdPerToken: "0.00000001" };
const MINIMAL = "minimal gateway, free";
const createBody = (model: string) => ({
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
    openResources(async (resources) => {
      const llm = resources.add(await startChild<string>("llm"), ({ stop }) => stop());
      const proxy = resources.add(await startChild<string>("llm-proxy", { args: [llm.hello] }), ({ stop }) => stop());
      const models = [
        { id: "bench/free", ...FREE },
        { id: "bench/paid", ...PAID },
      ];
      const provider = { name: "bench", baseUrl: `${llm.hello}/v1`, kind: "key", apiKey: "bench", models };
      const service = await openService(resources, postgresqlUrl ?? "", CONNECTIONS, {
        GATEWAY_PROVIDERS: JSON.stringify([provider]),
      });
      const subjects: Subject[] = [];
      const comparisons: Comparison[] = [];
      const add = (variant: string, model: string, run: (load: Load) => Subject["run"], baselineVariant = variant) => {
        const [against, subject] = [`undici proxy, ${baselineVariant}`, `gateway, ${variant}`];
        const url = (origin: string) => `${origin}/v1/chat/completions`;
        if (!subjects.some(({ name }) => name === against)) {
          subjects.push({ name: against, process: proxy, run: run({ url: url(proxy.hello), model, tokens: [{}] }) });
        }
        const load = { url: url(service.baseUrl), model, tokens: service.tokenHeaders };
        subjects.push({ name: subject, process: service.process, run: run(load) });
        comparisons.push({ subject, against });
      };
      add("free", "bench/free", runWhole(CONNECTIONS));
      const minimalDatabase = resources.add(await createDatabase(postgresqlUrl ?? ""), ({ drop }) => drop());
      const minimal = resources.add(
        await startChild<MinimalProgram>("minimal-gateway", { args: [llm.hello, minimalDatabase.url] }),
        ({ stop }) => stop(),
      );
      const minimalLoad: Load = {
        url: `${minimal.hello.baseUrl}/v1/chat/completions`,
        model: "bench/free",
        tokens: createTokenHeaders(minimal.hello),
      };
      subjects.push({ name: MINIMAL, process: minimal, run: runWhole(CONNECTIONS)(minimalLoad) });
      subjects.push({ name: `${MINIMAL}, one at a time`, process: minimal, run: runWhole(1)(minimalLoad) });
      comparisons.push({ subject: "gateway, free", against: MINIMAL, aim: 0.75 });
      comparisons.push({ subject: "gateway, free, one at a time", against: `${MINIMAL}, one at a time`, aim: 0.5 });
      comparisons.push({ subject: "gateway, paid from credit", against: MINIMAL, aim: 0.5 });
      comparisons.push({ subject: MINIMAL, against: "undici proxy, free" });
      add("free, one at a time", "bench/free", runWhole(1));
      add("paid from credit", "bench/paid", runWhole(CONNECTIONS), "free");
      add(`chunks of ${STREAMS} streams`, "bench/free", runStreamed);
      const portkey = await installPortkey();
      if ("missing" in portkey) return { subjects, comparisons, skipped: [portkey.missing], close: resources.close };
      const args = [portkey.entry];
      const portkeyProcess = resources.add(await startChild<string>("portkey", { args }), ({ stop }) => stop());
      const url = `${portkeyProcess.hello}/v1/chat/completions`;
      const host = { "x-portkey-provider": "openai", "x-portkey-custom-host": `${llm.hello}/v1` };
      const load = { url, model: "bench/free", tokens: [{ ...host, authorization: "Bearer bench" }] };
      subjects.push({ name: "Portkey", process: portkeyProcess, run: runWhole(CONNECTIONS)(load) });
      comparisons.push({ subject: "gateway, free", against: "Portkey", aim: 2.5 });
      return { subjects, comparisons, close: resources.close };
    }),
};

interface Load {
  readonly url: string;
  readonly model: string;
  readonly tokens: readonly Record<string, string>[];
}

const runWhole =
  (connections: number) =>
  ({ url, model, tokens }: Load) =>
  (durationMs: number) => {
    const body = JSON.stringify(createBody(model));
    const headers = { "content-type": "application/json" };
    return runHttpLoad({ url, method: "POST", connections, body, headers, headersByConnection: tokens }, durationMs);
  };

/** Reads `STREAMS` streams concurrently, and starts the next when one ends. @returns chunks per second */
const runStreamed =
  ({ url, model, tokens }: Load) =>
  async (durationMs: number) => {
    const body = JSON.stringify({ ...createBody(model), stream: true });
    const startedMs = performance.now();
    let chunks = 0;
    const read = async (_: unknown, index: number) => {
      const headers = { "content-type": "application/json", ...tokens[index % tokens.length] };
      while (performance.now() - startedMs < durationMs) {
        const response = await request(url, { method: "POST", headers, body });
        const text = await response.body.text();
        if (response.statusCode !== 200 || !text.endsWith("data: [DONE]\n\n"))
          throw new Error(`A stream failed: ${text}`);
        chunks += CHUNKS;
      }
    };
    await Promise.all(Array.from({ length: STREAMS }, read));
    return chunks / ((performance.now() - startedMs) / 1_000);
  };
