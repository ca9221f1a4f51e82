/**
 * A paid MCP server, written from the specification of the Model Context Protocol (revisions 2026-07-28 and 2025-11-25). `/mcp` speaks
 * both, `/legacy/mcp` the older one with sessions and event streams, `/fault/<name>/mcp` has a fault.
 */
import { randomUUID } from "node:crypto";
import express, { type Express, type Request, type Response } from "express";
import type { Observed } from "../seller/observed.ts";
import { createMcpFaults, type McpFault } from "./faults.ts";
import {
  createToolPayments,
  paymentRequired,
  readPayment,
  type ToolResult,
  toolOffer,
  withSettlement,
} from "./payment.ts";
import { describeTool, SANDBOX_TOOLS, type SandboxTool } from "./tools.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const SERVER = { name: "sandbox-weather", version: "1.0.0" };
const CAPABILITIES = { tools: {} };
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

interface Message {
  id?: string | number;
  method?: string;
  params?: {
    name?: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
    protocolVersion?: string;
  };
}

export interface McpServerDeps {
  facilitatorUrl: string;
  observed: Observed;
  /** Another origin, which records its requests. */
  elsewhereUrl(): string;
}

interface Exchange {
  request: Request;
  response: Response;
  message: Message;
  isModern: boolean;
  isStreamed: boolean;
  fault: McpFault | undefined;
}

export function mcpApp({ facilitatorUrl, observed, elsewhereUrl }: McpServerDeps): Express {
  const payments = createToolPayments(facilitatorUrl);
  observed.onReset(() => payments.clear());
  const faults = createMcpFaults(elsewhereUrl, observed.onReset);
  const sessions = new Set<string>();
  /** Requests of this server to clients, by id, such as elicitations. */
  const pending = new Map<string, (message: Message) => void>();
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "2mb" }));
  app.use(observed.middleware("mcp:"));

  async function callTool(exchange: Exchange): Promise<ToolResult | object | undefined> {
    const { params = {} } = exchange.message;
    const tool = SANDBOX_TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw { code: INVALID_PARAMS, message: `Unknown tool: ${params.name}` };
    if (tool.elicitsInput) return await elicitInput(exchange);
    const args = params.arguments ?? {};
    return tool.priceAtomic === undefined ? tool.run(args) : await callPaid(exchange, tool, tool.priceAtomic, args);
  }

  async function callPaid(
    { request, response, message, fault }: Exchange,
    tool: SandboxTool,
    priceAtomic: bigint,
    args: Record<string, unknown>,
  ): Promise<ToolResult | undefined> {
    const offer = toolOffer(priceAtomic);
    const offers = fault?.offers?.([offer]) ?? [offer];
    const options = { isTextOnly: tool.isTextOnly ?? false };
    const payment = readPayment(message.params ?? {});
    if (!payment) return fault?.unpaid?.() ?? paymentRequired(tool.name, offers, "Payment required", options);
    const error = await payments.findError(payment, offer);
    if (error !== undefined) return paymentRequired(tool.name, offers, error, options);
    const deliver = async (): Promise<ToolResult> => {
      const result = tool.run(args);
      if (result.isError) return result;
      const settlement = tool.failsToSettle
        ? { success: false, transaction: "", network: "eip155:84532", errorReason: "invalid_transaction_state" }
        : await payments.settle(payment, offer);
      if (settlement.success) return withSettlement(result, settlement);
      const reason = settlement.errorReason ?? "settlement_failed";
      return paymentRequired(tool.name, offers, reason, { ...options, settlement });
    };
    return fault?.paid ? await fault.paid({ request, response, payment, deliver }) : await deliver();
  }

  /** Requests input from the client: by the result in the modern revision, by a request in the stream in the older one. */
  async function elicitInput({ response, message, isModern, isStreamed }: Exchange): Promise<object> {
    const params = {
      mode: "form",
      message: "Where are you?",
      requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    };
    if (isModern) {
      return {
        resultType: "input_required",
        inputRequests: { city: { method: "elicitation/create", params } },
        requestState: "city",
      };
    }
    if (!isStreamed) return { isError: true, content: [{ type: "text", text: "This tool needs elicitation." }] };
    const id = `elicit-${message.id}-${randomUUID()}`;
    const replied = new Promise<Message>((resolve) => pending.set(id, resolve));
    openStream(response).write(event({ jsonrpc: "2.0", id, method: "elicitation/create", params }));
    const reply = await replied;
    const text = "error" in reply ? "The client refused the elicitation." : "The client replied.";
    return { isError: "error" in reply, content: [{ type: "text", text }] };
  }

  async function handle(exchange: Exchange): Promise<object | undefined> {
    const { message, isModern } = exchange;
    const complete = isModern ? { resultType: "complete" } : {};
    const cached = isModern ? { ttlMs: 0, cacheScope: "private" } : {};
    switch (message.method) {
      case "server/discover":
        if (!isModern) break;
        return {
          ...complete,
          ...cached,
          supportedVersions: [MODERN, LEGACY],
          capabilities: CAPABILITIES,
          serverInfo: SERVER,
        };
      case "initialize":
        return { protocolVersion: LEGACY, capabilities: CAPABILITIES, serverInfo: SERVER };
      case "ping":
        return {};
      case "tools/list":
        return { ...complete, ...cached, tools: SANDBOX_TOOLS.map(describeTool) };
      case "tools/call": {
        const result = await callTool(exchange);
        return result && { ...complete, ...result };
      }
    }
    throw { code: METHOD_NOT_FOUND, message: `Unknown method: ${message.method}` };
  }

  async function respond(request: Request, response: Response, isLegacyOnly: boolean, fault: McpFault | undefined) {
    const message = request.body as Message;
    if (message.method === undefined) {
      pending.get(String(message.id))?.(message);
      return void response.status(202).end();
    }
    if (message.id === undefined) return void response.status(202).end();
    const isModern = !isLegacyOnly && message.params?._meta?.[VERSION_KEY] === MODERN;
    if (isLegacyOnly && message.method === "initialize") {
      const session = randomUUID();
      sessions.add(session);
      response.set("Mcp-Session-Id", session);
    } else if (isLegacyOnly && !sessions.has(request.get("mcp-session-id") ?? "")) {
      return void response
        .status(400)
        .json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "No session" } });
    }
    const exchange = { request, response, message, isModern, isStreamed: isLegacyOnly, fault };
    const reply = await handle(exchange).then(
      (result) => result && { jsonrpc: "2.0", id: message.id, result },
      (error: { code?: number; message: string }) => ({
        jsonrpc: "2.0",
        id: message.id,
        error: { code: error.code ?? -32603, message: error.message },
      }),
    );
    // Undefined after a fault has ended the response.
    if (!reply) return;
    if (isLegacyOnly) return void openStream(response).end(event(reply));
    const isUnknownMethod = "error" in reply && reply.error.code === METHOD_NOT_FOUND;
    response.status(isUnknownMethod && isModern ? 404 : 200).json(reply);
  }

  app.get("/", (_request, response) => {
    const faulty = Object.entries(faults).map(([name, { says }]) => ({
      path: `/fault/${name}/mcp`,
      says: `a server that ${says}`,
    }));
    response.json({ servers: ["/mcp", "/legacy/mcp", "/moved/mcp"], faulty, tools: SANDBOX_TOOLS.map(describeTool) });
  });
  app.post("/mcp", (request, response) => respond(request, response, false, undefined));
  app.post("/legacy/mcp", (request, response) => respond(request, response, true, undefined));
  app.delete("/legacy/mcp", (request, response) => {
    sessions.delete(request.get("mcp-session-id") ?? "");
    response.status(204).end();
  });
  app.post("/moved/mcp", (_request, response) => response.redirect(308, "/mcp"));
  app.post("/protected/mcp", (_request, response) => void response.status(401).json({ error: "invalid_token" }));
  for (const [name, fault] of Object.entries(faults)) {
    app.post(`/fault/${name}/mcp`, (request, response) => respond(request, response, false, fault));
  }
  app.use((_request, response) => void response.status(405).end());
  return app;
}

function openStream(response: Response): Response {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  return response;
}

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
