/** Test helpers: `satchel mcp` as a process with lines on standard input and output, and a server in place of the service. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";

const MAIN = join(import.meta.dirname, "../../cli/main.ts");
export const ARGUMENTS = ["--disable-warning=ExperimentalWarning", MAIN, "mcp"];

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape.
type Json = any;

export interface Bridge {
  readonly child: ChildProcessWithoutNullStreams;
  /** Writes lines; an object is serialised. */
  send(...lines: readonly (string | Buffer | object)[]): void;
  /** Waits for this number of lines on standard output and returns them. */
  waitForLines(count: number): Promise<string[]>;
  /** Waits for this number of messages on standard output and returns them. */
  waitForMessages(count: number): Promise<Json[]>;
  stderr(): string;
  /** Ends the input, waits for the end of the process and returns its exit code and messages. */
  end(): Promise<{ code: number | null; messages: Json[] }>;
}

export function openBridge(env: { readonly SATCHEL_URL: string; readonly SATCHEL_TOKEN: string }): Bridge {
  const child = spawn(process.execPath, ARGUMENTS, { env: { PATH: process.env["PATH"] ?? "", ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (data) => (stdout += data));
  child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = () => stdout.split("\n").slice(0, -1);
  const waitForLines = async (count: number) => {
    await expect.poll(() => lines().length).toBe(count);
    return lines();
  };
  return {
    child,
    send(...sent) {
      for (const line of sent) {
        const isBytes = typeof line === "string" || Buffer.isBuffer(line);
        child.stdin.write(isBytes ? line : JSON.stringify(line));
        child.stdin.write("\n");
      }
    },
    waitForLines,
    waitForMessages: async (count) => (await waitForLines(count)).map((line) => JSON.parse(line)),
    stderr: () => stderr,
    async end() {
      child.stdin.end();
      const code = await closed;
      expect(stdout).toMatch(/^$|\n$/);
      return { code, messages: lines().map((line) => JSON.parse(line)) };
    },
  };
}

export interface ReceivedRequest {
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

export interface BrokenServer {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  stop(): Promise<void>;
}

/** Starts a server whose responses the service never sends. */
export async function openBrokenServer(
  respond: (body: string, response: ServerResponse) => void,
  port = 0,
): Promise<BrokenServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ body, headers: request.headers });
    respond(body, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, stop };
}
