/** Tools, resources and prompts that the conformance suite calls, on the endpoint of the service and without a credential. */
import type { AddressInfo } from "node:net";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { registerEndpoint } from "../../mcp/endpoint.ts";
import { createSite } from "../../src/platform/http/site.ts";

/** A PNG of one pixel and an empty WAV file. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
const WAV = Buffer.from(
  "524946462400000057415645666d74201000000001000100401f0000803e0000020010006461746100000000",
  "hex",
).toString("base64");

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const codec = createRequestStateCodec<object>({ key: "k".repeat(32) });

/** Starts the endpoint with the fixtures. */
export async function startFixtures(): Promise<{ url: string; stop(): Promise<void> }> {
  const app: FastifyInstance = fastify();
  let notify: ServerNotifier | undefined;
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  notify = registerEndpoint<object>(app, {
    site: createSite(baseUrl, false),
    isOriginAllowed: () => false,
    admit: async () => ({}),
    createServer: () => createFixtureServer(() => notify),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: `${baseUrl()}/mcp`, stop: async () => void (await app.close()) };
}

function createFixtureServer(notify: () => ServerNotifier | undefined): McpServer {
  const server = new McpServer(
    { name: "fixtures", version: "1" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  registerResults(server);
  registerInputs(server);
  registerChanges(server, notify);
  registerResources(server);
  registerPrompts(server);
  server.server.setRequestHandler("completion/complete", () => ({ completion: { values: ["test"] } }));
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  return server;
}

function registerResults(server: McpServer): void {
  const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
  const embed = (uri: string, mimeType: string, content: string) => ({
    type: "resource" as const,
    resource: { uri, mimeType, text: content },
  });
  const results = {
    test_simple_text: text("This is a simple text response for testing."),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: "audio" as const, data: WAV, mimeType: "audio/wav" }] },
    test_embedded_resource: { content: [embed("test://embedded-resource", "text/plain", "An embedded resource.")] },
    test_multiple_content_types: {
      content: [
        ...text("Several types:").content,
        image,
        embed("test://mixed-content-resource", "application/json", "{}"),
      ],
    },
    test_error_handling: { ...text("This tool intentionally returns an error for testing"), isError: true },
  };
  for (const [name, result] of Object.entries(results)) {
    server.registerTool(name, { description: "Returns a constant result." }, async () => result);
  }
  server.registerTool(
    "test_tool_with_progress",
    { description: "Reports progress." },
    async (context: ServerContext) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: progressToken as string, progress, total: 100 },
        });
      }
      return text("done");
    },
  );
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(
      name,
      { description: "Logs, where the client requested it." },
      async (context: ServerContext) => {
        for (const data of ["started", "running", "completed"]) await context.mcpReq.log("info", data);
        return text("done");
      },
    );
  }
}

const elicitText = (name: string) =>
  inputRequired.elicit({ message: `Enter ${name}.`, requestedSchema: z.object({ [name]: z.string() }) });
const sample = () =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
    maxTokens: 50,
  });
const elicitOk = () => inputRequired.elicit({ message: "Confirm.", requestedSchema: z.object({ ok: z.boolean() }) });

function registerInputs(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => Promise<object>) =>
    server.registerTool(name, { description: "Requires input." }, run as never);
  const responsesOf = (context: ServerContext) => context.mcpReq.inputResponses;
  tool("test_input_required_result_elicitation", async (context) => {
    const given = acceptedContent(responsesOf(context), "user_name", z.object({ name: z.string() }));
    return given ? text(`Hello, ${given.name}`) : inputRequired({ inputRequests: { user_name: elicitText("name") } });
  });
  tool("test_input_required_result_sampling", async (context) =>
    inputResponse(responsesOf(context), "sample").kind === "sampling"
      ? text("sampled")
      : inputRequired({ inputRequests: { sample: sample() } }),
  );
  tool("test_input_required_result_list_roots", async (context) =>
    inputResponse(responsesOf(context), "roots").kind === "roots"
      ? text("listed")
      : inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }),
  );
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    tool(name, async (context) =>
      context.mcpReq.requestState<object>() && acceptedContent(responsesOf(context), "confirm")
        ? text("state-ok")
        : inputRequired({ inputRequests: { confirm: elicitOk() }, requestState: await codec.mint({ name }) }),
    );
  }
  tool("test_input_required_result_multiple_inputs", async (context) => {
    const kinds = ["name", "sample", "roots"].map((key) => inputResponse(responsesOf(context), key).kind);
    if (!kinds.includes("missing")) return text(kinds.join(", "));
    const inputRequests = { name: elicitText("name"), sample: sample(), roots: inputRequired.listRoots() };
    return inputRequired({ inputRequests, requestState: await codec.mint({}) });
  });
  tool("test_input_required_result_multi_round", async (context) => {
    const { round = 0 } = context.mcpReq.requestState<{ round: number }>() ?? {};
    if (round === 2) return text("completed");
    const inputRequests = { [`step${round + 1}`]: elicitText(round === 0 ? "name" : "color") };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: round + 1 }) });
  });
  tool("test_input_required_result_capabilities", async (context) => {
    const capabilities =
      ((context.mcpReq.envelope ?? {}) as Record<string, object>)[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const inputRequests = {
      ...("sampling" in capabilities ? { sample: sample() } : {}),
      ...("elicitation" in capabilities ? { name: elicitText("name") } : {}),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text("no capability");
  });
  tool("test_missing_capability", async () => inputRequired({ inputRequests: { sample: sample() } }));
  tool("test_streaming_elicitation", async () => inputRequired({ inputRequests: { name: elicitText("name") } }));
  // Requests of the server to the client, which only sessions can carry: the endpoint has none.
  for (const name of [
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
  ]) {
    tool(name, async () =>
      inputRequired({ inputRequests: { input: name === "test_sampling" ? sample() : elicitText("response") } }),
    );
  }
}

function registerChanges(server: McpServer, notify: () => ServerNotifier | undefined): void {
  server.registerTool("test_trigger_tool_change", { description: "Notifies of a changed list." }, async () => {
    notify()?.toolsChanged();
    return text("notified");
  });
  server.registerTool("test_trigger_prompt_change", { description: "Notifies of a changed list." }, async () => {
    notify()?.promptsChanged();
    return text("notified");
  });
}

function registerResources(server: McpServer): void {
  const constant = (name: string, uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, uri, { description: "A constant.", mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  constant("text", "test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  constant("binary", "test://static-binary", "image/png", { blob: PNG });
  constant("watched", "test://watched-resource", "text/plain", { text: "Watched." });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource(
    "template",
    template,
    { description: "By id.", mimeType: "application/json" },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

function registerPrompts(server: McpServer): void {
  const message = (content: object) => ({ messages: [{ role: "user" as const, content: content as never }] });
  server.registerPrompt("test_simple_prompt", { description: "Constant." }, async () =>
    message({ type: "text", text: "This is a simple prompt for testing." }),
  );
  const arguments_ = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Arguments.", argsSchema: arguments_ },
    async ({ arg1, arg2 }) => message({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  const uri = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Resource.", argsSchema: uri },
    async ({ resourceUri }) =>
      message({ type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded." } }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Image." }, async () =>
    message({ type: "image", data: PNG, mimeType: "image/png" }),
  );
  server.registerPrompt("test_input_required_result_prompt", { description: "Requires input." }, (async (
    context: ServerContext,
  ) => {
    const given = acceptedContent(context.mcpReq.inputResponses, "user_context");
    if (given) return message({ type: "text", text: JSON.stringify(given) });
    return inputRequired({ inputRequests: { user_context: elicitText("context") } });
  }) as never);
}
