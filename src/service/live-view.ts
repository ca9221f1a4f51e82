/** Puts the live view of checkouts together: its streams, which end with the session that may act in them. */
import type { FastifyInstance } from "fastify";
import { type LiveStreamDeps, serveLiveStreams } from "../checkout/live/live-stream.ts";
import type { Config } from "../platform/config.ts";
import { createClientIp } from "../platform/http/client-ip.ts";
import { readWorkerToken } from "../platform/worker-token.ts";
import { closeEndedSessions } from "./people.ts";

type Deps = Omit<LiveStreamDeps, "workerToken" | "clientIp">;

export async function registerLiveView(app: FastifyInstance, config: Config, deps: Deps): Promise<void> {
  const { db, pubsub, logger, site, signingKeys, adminToken, tokenKinds } = deps;
  const streams = serveLiveStreams(app.server, {
    ...{ db, pubsub, logger, site, signingKeys, adminToken, tokenKinds },
    workerToken: await readWorkerToken(config),
    clientIp: createClientIp(config.TRUST_PROXY),
  });
  void closeEndedSessions(pubsub, streams.disconnect);
  app.addHook("preClose", () => streams.close());
}
