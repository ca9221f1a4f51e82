/** A minimal proxy: undici forwards the request body and streams the response. Argument: the URL of the provider. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { serveParent } from "../harness/serve-parent.ts";

const pool = new Pool(process.argv[2] ?? "", { connections: 64 });
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    pool
      .stream(
        {
          path: request.url ?? "/",
          method: "POST",
          headers: { "content-type": "application/json", authorization: "Bearer bench" },
          body: Buffer.concat(parts),
        },
        ({ statusCode, headers }) =>
          response.writeHead(statusCode, { "content-type": String(headers["content-type"]) }),
      )
      .catch(() => response.destroy());
  });
});
server.keepAliveTimeout = 30_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
