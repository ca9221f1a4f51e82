/** Portkey's gateway in a separate process, started as by its own command. Argument: the path of its start script. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "../harness/serve-parent.ts";

const START_TIMEOUT_MS = 20_000;

const port = await findFreePort();
// Portkey reads its port from the command line.
const [node = "", script = "", entry = ""] = process.argv;
process.argv = [node, script, `--port=${port}`, "--headless"];
await import(entry);
const url = `http://127.0.0.1:${port}`;
const deadlineMs = performance.now() + START_TIMEOUT_MS;
while (!(await fetch(url).then(Boolean, () => false)) && performance.now() < deadlineMs) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
serveParent(url);

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}
