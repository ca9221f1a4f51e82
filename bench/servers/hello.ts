/** The least that fastify can do. */
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { answerParent } from "../harness/answer-parent.ts";

const app = fastify();
app.get("/", async () => ({ hello: "world" }));
await app.listen({ port: 0, host: "127.0.0.1" });
answerParent((app.server.address() as AddressInfo).port);
