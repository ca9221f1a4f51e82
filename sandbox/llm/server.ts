/** Language model providers on one origin, each with its own base URL; `/` lists them. */
import express, { type Express, type Request, type Response, Router } from "express";
import type { Observed } from "../seller/observed.ts";
import type { SellerProtocol } from "../seller/protocol.ts";
import { type Charge, type Gate, keyGate, version1Gate, version2LlmGate } from "./gates.ts";
import { releaseHold } from "./holds.ts";
import { type ChatRequest, maxTokensOf, promptTokensOf, readChatRequest, replyTo } from "./reply.ts";
import { type Mishap, writeReply } from "./write.ts";

/** Prices in micro-USD, the smallest unit of USDC. */
const PROMPT_PRICE = 2n;
const COMPLETION_PRICE = 8n;
const FLAT_PRICE = 2_000n;
const CREATED = 1_735_689_600;
const PARAMETERS = [
  "temperature",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "n",
  "tools",
  "tool_choice",
  "response_format",
];

/** Faults of the faulty providers, selected by the requested model. `BEFORE` and `AFTER` refer to the payment. */
const BEFORE: Readonly<Record<string, (response: Response) => void>> = {
  "429": (response) => fail(response.set("retry-after", "1"), 429, "rate_limit_exceeded"),
  "500": (response) => fail(response, 500, "internal_error"),
  hangs: () => {},
  refuses: (response) => fail(response, 400, "context_length_exceeded"),
};
const AFTER: Readonly<Record<string, (response: Response) => void>> = {
  "settles-then-500": (response) => fail(response, 500, "internal_error"),
  "settles-then-429": (response) => fail(response, 429, "rate_limit_exceeded"),
  "settles-then-drops": (response) => void response.socket?.destroy(),
};
const WHILE: readonly Mishap[] = [
  "cuts",
  "cuts-at-once",
  "bad-json",
  "error-midstream",
  "forged-usage",
  "no-usage",
  "no-done",
];

export interface LlmDeps {
  sellerProtocol: SellerProtocol;
  facilitatorUrl: string;
  observed: Observed;
  /** Returns the server's own origin, known once it listens. */
  url(): string;
}

export function llmApp({ sellerProtocol, facilitatorUrl, observed, url }: LlmDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use(observed.middleware("llm:"));
  app.use(express.json({ limit: "12mb" }));
  app.post("/holds/:name/release", ({ params }, response) => {
    releaseHold(params.name);
    response.status(204).end();
  });
  const honest: Record<string, { gate: Gate; isFlat: boolean }> = {
    "exact-v1": { gate: version1Gate(sellerProtocol, url, "exact"), isFlat: true },
    "exact-v2": { gate: version2LlmGate(facilitatorUrl, url, "exact"), isFlat: true },
    "upto-v1": { gate: version1Gate(sellerProtocol, url, "upto"), isFlat: false },
    "upto-v2": { gate: version2LlmGate(facilitatorUrl, url, "upto"), isFlat: false },
    key: { gate: keyGate, isFlat: false },
  };
  for (const [name, { gate, isFlat }] of Object.entries(honest)) {
    app.use(`/${name}/v1`, provider(["sandbox/echo", `sandbox/${name}`], gate, isFlat));
  }
  const faults = [...Object.keys(BEFORE), ...Object.keys(AFTER), ...WHILE].map((fault) => `sandbox/${fault}`);
  app.use("/faulty/v1", provider(faults, version1Gate(sellerProtocol, url, "exact"), true, true));
  app.use("/faulty-key/v1", provider(faults, keyGate, false, true));
  app.get("/", (_request, response) => {
    const names = [...Object.keys(honest), "faulty", "faulty-key"];
    response.json({ providers: names.map((name) => `${url()}/${name}/v1`), faults });
  });
  return app;
}

function provider(models: string[], gate: Gate, isFlat: boolean, misbehaves = false): Router {
  const router = Router();
  const pricing = isFlat
    ? { prompt: "0", completion: "0", request: "0.002" }
    : { prompt: "0.000002", completion: "0.000008" };
  router.get("/models", (_request, response) => {
    const data = models.map((id) => ({
      id,
      object: "model",
      created: CREATED,
      owned_by: "sandbox",
      name: id,
      context_length: 128_000,
      top_provider: { max_completion_tokens: 1_024 },
      pricing,
      supported_parameters: PARAMETERS,
    }));
    response.json({ object: "list", data });
  });
  router.post("/chat/completions", async (request, response) => {
    const chatRequest = readChatRequest(request.body);
    const fault = misbehaves ? (chatRequest.model.split("/").at(-1) ?? "") : "";
    const before = BEFORE[fault];
    if (before) return before(response);
    if (!(await gate(request, response, chargeOf(chatRequest, isFlat)))) return;
    const after = AFTER[fault];
    if (after) return after(response);
    await serve(
      request,
      response,
      WHILE.find((one) => one === fault),
    );
  });
  return router;
}

async function serve(request: Request, response: Response, mishap: Mishap | undefined): Promise<void> {
  const chatRequest = readChatRequest(request.body);
  if (Array.isArray(chatRequest.messages) && chatRequest.messages.length > 0)
    return await writeReply(response, chatRequest, mishap);
  fail(response, 400, "invalid_request");
}

function chargeOf(chatRequest: ChatRequest, isFlat: boolean): Charge {
  if (isFlat) return { capAtomic: FLAT_PRICE, actualAtomic: FLAT_PRICE };
  const { promptTokens, completionTokens } = replyTo(chatRequest);
  return {
    capAtomic: BigInt(promptTokensOf(chatRequest)) * PROMPT_PRICE + BigInt(maxTokensOf(chatRequest)) * COMPLETION_PRICE,
    actualAtomic: BigInt(promptTokens) * PROMPT_PRICE + BigInt(completionTokens) * COMPLETION_PRICE,
  };
}

function fail(response: Response, status: number, code: string): void {
  const error = { message: "The sandbox provider failed as requested.", type: "provider_error", code, param: null };
  response.status(status).json({ error });
}
