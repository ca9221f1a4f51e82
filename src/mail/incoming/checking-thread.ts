/** Worker thread that authenticates senders. It hashes and waits for name servers, for many messages concurrently. */
import { authenticateSender, type SenderCheck } from "./authenticate-sender.ts";
import { createDnsResolver, type ResolveDns } from "./dns-resolver.ts";
import type { Envelope } from "./incoming-message.ts";
import { readMessageHead } from "./message-head.ts";

export interface CheckingTask {
  readonly path: string;
  readonly envelope: Envelope;
  readonly dnsServers: readonly string[];
  /** This server's host name, for the SPF check. */
  readonly hostname: string;
}

export interface CheckingResult extends SenderCheck {
  /** The number of `Received` fields: one for each server on the way. */
  readonly hops: number;
}

const resolvers = new Map<string, ResolveDns>();

export default async function check(task: CheckingTask): Promise<CheckingResult> {
  const head = await readMessageHead(task.path);
  return { ...(await authenticateSender({ ...task, head }, getResolver(task))), hops: head.count("received") };
}

function getResolver({ dnsServers }: CheckingTask): ResolveDns {
  const key = dnsServers.join(",");
  const resolver = resolvers.get(key) ?? createDnsResolver(dnsServers);
  resolvers.set(key, resolver);
  return resolver;
}
