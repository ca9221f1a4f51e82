import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rememberProcess } from "./former.ts";

/** A running anvil. `exited` resolves when it is gone. */
export interface AnvilProcess {
  rpcUrl: string;
  /** Asks it to write its state and leave; kills it after five seconds. */
  stop(): Promise<void>;
  exited: Promise<void>;
}

/**
 * Starts anvil on `port` with its state in `stateFile` (read when it exists, written when anvil is asked to leave).
 *
 * anvil must not outlive the sandbox, even when that is killed with SIGKILL. So a small shell watches a pipe that only
 * this process holds: when the pipe closes, for whatever reason, the shell ends anvil, which then writes its state.
 */
export function startAnvil(options: { chainId: number; host: string; port: number; stateFile: string }): AnvilProcess {
  const args = [
    "--quiet",
    ...["--host", options.host, "--port", String(options.port), "--chain-id", String(options.chainId)],
    ...["--accounts", "0", "--state", options.stateFile, "--prune-history", "64"],
  ];
  const child =
    process.platform === "win32"
      ? spawn(anvilBinary(), args, { stdio: ["pipe", "ignore", "ignore"] })
      : // Detached: Ctrl-C in a terminal reaches its whole process group, and the sandbox decides when anvil leaves.
        spawn("/bin/sh", ["-c", WATCHED, "sh", anvilBinary(), ...args], {
          stdio: ["pipe", "ignore", "ignore"],
          detached: true,
        });
  rememberProcess(options.stateFile, child.pid);
  child.stdin?.on("error", () => {});
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return {
    rpcUrl: `http://${options.host}:${options.port}`,
    exited,
    async stop() {
      leave(child);
      const timer = setTimeout(() => child.kill("SIGKILL"), 8_000);
      await exited;
      clearTimeout(timer);
    },
  };
}

const WATCHED = `
"$@" </dev/null &
anvil=$!
while read -r _; do :; done
kill -TERM $anvil
{ sleep 5; kill -KILL $anvil; } &
wait $anvil
kill $!
`;

function leave(child: ChildProcess): void {
  if (process.platform === "win32") child.kill();
  else child.stdin?.end();
}

/** The native binary of the installed platform package (its wrapper script would be one more process to watch). */
function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const wrapper = dirname(require.resolve("@foundry-rs/anvil/package.json"));
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${arch}/package.json`;
  const folder = dirname(createRequire(join(wrapper, "index.js")).resolve(platformPackage));
  return join(folder, "bin", process.platform === "win32" ? "anvil.exe" : "anvil");
}
