/** A minimal fastify server with one route. */
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { serveParent } from "../harness/serve-parent.ts";

const app = fastify();
app.get("/", async () => ({ hello: "world" }));
await app.listen({ port: 0, host: "127.0.0.1" });
serveParent((app.server.address() as AddressInfo).port);
