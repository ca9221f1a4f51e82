/** Configuration of the programs that run agents ("hosts"), for the dashboard and `docs/hosts/`. */

/** Text to paste, and the place for it. */
export interface Step {
  /** Sentence that names the place. */
  readonly text: string;
  readonly language: "sh" | "json" | "toml" | "ts" | "text";
  readonly code: string;
}

export interface Host {
  readonly id: string;
  readonly name: string;
  /** Steps with the URL alone. The host opens the browser, where the owner signs in and sets limits. Null without OAuth. */
  readonly signIn: ((url: string) => readonly Step[]) | null;
  /** Steps with an API token. Null if the host cannot send one. */
  readonly withToken: ((url: string, token: string) => readonly Step[]) | null;
  /** Condition or limitation of the host. */
  readonly note?: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
/** Hosts without a metadata document register themselves. */
const REGISTERS_ITSELF =
  "Sign-in requires that the service accepts dynamic registration (DYNAMIC_CLIENT_REGISTRATION), as the sandbox does. Otherwise use an API token.";
/** Codex has a metadata document, which the service must fetch, and registers itself otherwise. */
const HAS_DOCUMENT =
  "Sign-in requires that the service accepts metadata documents (CLIENT_ID_METADATA_DOCUMENTS) or dynamic registration (DYNAMIC_CLIENT_REGISTRATION), as the sandbox does. Otherwise use an API token.";
const PUBLIC_ONLY = "The host's servers send the requests, so the URL must be HTTPS and reachable from the internet.";

/** The variable of programs, so that no source file contains the token. */
const setVariable = (token: string): Step => ({
  text: "Set the token in the environment of the program.",
  language: "sh",
  code: `export SATCHEL_TOKEN='${token}'`,
});

const CLAUDE_CODE: Host = {
  id: "claude-code",
  name: "Claude Code",
  signIn: (url) => [
    {
      text: "Run this command, then enter /mcp in Claude Code, select satchel and sign in.",
      language: "sh",
      code: `claude mcp add --transport http satchel '${url}'`,
    },
  ],
  withToken: (url, token) => [
    {
      text: "Run this command.",
      language: "sh",
      code: `claude mcp add --transport http satchel '${url}' --header 'Authorization: Bearer ${token}'`,
    },
  ],
};

const CLAUDE: Host = {
  id: "claude",
  name: "Claude Desktop, claude.ai",
  signIn: (url) => [
    {
      text: "Under Settings, Connectors, choose “Add custom connector”, enter this URL, and connect.",
      language: "text",
      code: url,
    },
  ],
  withToken: null,
  note: PUBLIC_ONLY,
};

const CHATGPT: Host = {
  id: "chatgpt",
  name: "ChatGPT",
  signIn: (url) => [
    {
      text: "Turn on developer mode in the settings of apps, create an app with this URL and OAuth, and connect.",
      language: "text",
      code: url,
    },
  ],
  withToken: null,
  note: PUBLIC_ONLY,
};

const CURSOR: Host = {
  id: "cursor",
  name: "Cursor",
  signIn: (url) => [
    { text: "Add this to ~/.cursor/mcp.json.", language: "json", code: json({ mcpServers: { satchel: { url } } }) },
  ],
  withToken: (url, token) => [
    {
      text: "Add this to ~/.cursor/mcp.json.",
      language: "json",
      code: json({ mcpServers: { satchel: { url, headers: bearer(token) } } }),
    },
  ],
  note: REGISTERS_ITSELF,
};

const VS_CODE: Host = {
  id: "vs-code",
  name: "VS Code",
  signIn: (url) => [
    {
      text: "Run “MCP: Open User Configuration” and add this.",
      language: "json",
      code: json({ servers: { satchel: { type: "http", url } } }),
    },
  ],
  withToken: (url, token) => [
    {
      text: "Run “MCP: Open User Configuration” and add this. VS Code prompts for the token and stores it encrypted.",
      language: "json",
      code: json({
        inputs: [{ type: "promptString", id: "satchel-token", description: "Satchel API token", password: true }],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of VS Code
        servers: { satchel: { type: "http", url, headers: bearer("${input:satchel-token}") } },
      }),
    },
    { text: "Enter the token in the prompt.", language: "text", code: token },
  ],
  note: REGISTERS_ITSELF,
};

const CODEX: Host = {
  id: "codex",
  name: "Codex",
  signIn: (url) => [
    {
      text: "Run this command, which opens the browser. To sign in again later, run codex mcp login satchel.",
      language: "sh",
      code: `codex mcp add satchel --url '${url}'`,
    },
  ],
  withToken: (url, token) => [
    {
      text: "Add this to ~/.codex/config.toml.",
      language: "toml",
      code: `[mcp_servers.satchel]\nurl = "${url}"\nbearer_token_env_var = "SATCHEL_TOKEN"`,
    },
    setVariable(token),
  ],
  note: HAS_DOCUMENT,
};

const OPENAI_AGENTS: Host = {
  id: "openai-agents",
  name: "OpenAI Agents SDK",
  signIn: null,
  withToken: (url, token) => [
    {
      text: "Use this code with @openai/agents.",
      language: "ts",
      code: `import { Agent, MCPServerStreamableHttp } from "@openai/agents";

const satchel = new MCPServerStreamableHttp({
  name: "satchel",
  url: "${url}",
  requestInit: { headers: { Authorization: \`Bearer \${process.env.SATCHEL_TOKEN}\` } },
});
await satchel.connect();
const agent = new Agent({ name: "Assistant", mcpServers: [satchel] });`,
    },
    setVariable(token),
  ],
};

const LANGCHAIN: Host = {
  id: "langchain",
  name: "LangChain",
  signIn: null,
  withToken: (url, token) => [
    {
      text: "Use this code with langchain and @langchain/mcp-adapters.",
      language: "ts",
      code: `import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  satchel: {
    transport: "http",
    url: "${url}",
    headers: { Authorization: \`Bearer \${process.env.SATCHEL_TOKEN}\` },
  },
});
const tools = await client.getTools();`,
    },
    setVariable(token),
  ],
};

const AI_SDK: Host = {
  id: "ai-sdk",
  name: "Vercel AI SDK",
  signIn: null,
  withToken: (url, token) => [
    {
      text: "Use this code with ai and @ai-sdk/mcp.",
      language: "ts",
      code: `import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: {
    type: "http",
    url: "${url}",
    headers: { Authorization: \`Bearer \${process.env.SATCHEL_TOKEN}\` },
  },
});
const tools = await client.tools();`,
    },
    setVariable(token),
  ],
};

const OTHER: Host = {
  id: "other",
  name: "Other",
  signIn: (url) => [{ text: "Enter this URL, with Streamable HTTP as the transport.", language: "text", code: url }],
  withToken: (url, token) => [
    { text: "Enter this URL, with Streamable HTTP as the transport.", language: "text", code: url },
    { text: "Send this header with each request.", language: "text", code: `Authorization: Bearer ${token}` },
  ],
};

export const HOSTS: readonly Host[] = [
  CLAUDE_CODE,
  CLAUDE,
  CHATGPT,
  CURSOR,
  VS_CODE,
  CODEX,
  OPENAI_AGENTS,
  LANGCHAIN,
  AI_SDK,
  OTHER,
];
