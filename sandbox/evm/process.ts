import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { writePidFile } from "./previous-process.ts";

/** A running anvil process. `exited` resolves when it has ended. */
export interface AnvilProcess {
  rpcUrl: string;
  /** Makes anvil write its state and exit, and kills it after five seconds. */
  stop(): Promise<void>;
  exited: Promise<void>;
}

/**
 * Starts anvil on `port` with its state in `stateFile`. anvil reads the file if it exists, and writes it on exit.
 *
 * anvil must not outlive the sandbox, even after a SIGKILL. Therefore a shell reads a pipe that only this process holds open.
 * When the pipe closes, the shell terminates anvil, which then writes its state.
 */
export function startAnvil(options: { chainId: number; host: string; port: number; stateFile: string }): AnvilProcess {
  const args = [
    "--quiet",
    ...["--host", options.host, "--port", String(options.port), "--chain-id", String(options.chainId)],
    ...["--accounts", "0", "--state", options.stateFile, "--prune-history", "64"],
    // Transactions of one block in the order of their arrival, regardless of the fee that each client estimates.
    ...["--order", "fifo"],
  ];
  const child =
    process.platform === "win32"
      ? spawn(findAnvilBinary(), args, { stdio: ["pipe", "ignore", "ignore"] })
      : // Detached, because Ctrl-C in a terminal signals the whole process group and only the sandbox may stop anvil.
        spawn("/bin/sh", ["-c", WATCHDOG_SCRIPT, "sh", findAnvilBinary(), ...args], {
          stdio: ["pipe", "ignore", "ignore"],
          detached: true,
        });
  writePidFile(options.stateFile, child.pid);
  child.stdin?.on("error", () => {});
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return {
    rpcUrl: `http://${options.host}:${options.port}`,
    exited,
    async stop() {
      requestExit(child);
      const timer = setTimeout(() => child.kill("SIGKILL"), 8_000);
      await exited;
      clearTimeout(timer);
    },
  };
}

const WATCHDOG_SCRIPT = `
"$@" </dev/null &
anvil=$!
while read -r _; do :; done
kill -TERM $anvil
{ sleep 5; kill -KILL $anvil; } &
wait $anvil
kill $!
`;

function requestExit(child: ChildProcess): void {
  if (process.platform === "win32") child.kill();
  else child.stdin?.end();
}

/** Returns the native binary of the installed platform package, which avoids the additional process of the wrapper script. */
function findAnvilBinary(): string {
  const require = createRequire(import.meta.url);
  const wrapper = dirname(require.resolve("@foundry-rs/anvil/package.json"));
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${arch}/package.json`;
  const folder = dirname(createRequire(join(wrapper, "index.js")).resolve(platformPackage));
  return join(folder, "bin", process.platform === "win32" ? "anvil.exe" : "anvil");
}
