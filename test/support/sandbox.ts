import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkName, SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { startSandbox } from "../../sandbox/start.ts";

export interface TestSandbox extends SandboxEndpoints {
  /** Returns the requests received on a seller's path; `elsewhere:<path>` selects the other origin. */
  observed(path: string): Promise<{ requests: ObservedRequest[]; distinctPayments: unknown[] }>;
  stop(): Promise<void>;
}

interface ObservedRequest {
  readonly path: string;
  readonly payment: string | null;
  readonly headerNames: string[];
}

/** Starts a sandbox in this process, in a temporary folder. */
export async function openSandbox(networks: NetworkName[]): Promise<TestSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-sandbox-"));
  const sandbox = await startSandbox({ dataDir, networks });
  return {
    ...sandbox.endpoints,
    async observed(path) {
      const response = await fetch(`${sandbox.endpoints.adminUrl}/observed?path=${encodeURIComponent(path)}`);
      return (await response.json()) as Awaited<ReturnType<TestSandbox["observed"]>>;
    },
    async stop() {
      await sandbox.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
