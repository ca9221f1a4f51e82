/** What the thread that checks senders does with a message: it hashes, and waits for name servers, for many at once. */
import { authenticateSender, type SenderCheck } from "./authenticate-sender.ts";
import { createDnsResolver, type ResolveDns } from "./dns-resolver.ts";
import type { Envelope } from "./incoming-message.ts";
import { readMessageHead } from "./message-head.ts";

export interface CheckingTask {
  readonly path: string;
  readonly envelope: Envelope;
  readonly dnsServers: readonly string[];
  /** What this server calls itself. */
  readonly hostname: string;
}

export interface CheckingResult extends SenderCheck {
  /** How many servers it came through. */
  readonly hops: number;
}

const resolvers = new Map<string, ResolveDns>();

export default async function check(task: CheckingTask): Promise<CheckingResult> {
  const head = await readMessageHead(task.path);
  return { ...(await authenticateSender({ ...task, head }, resolverOf(task))), hops: head.count("received") };
}

function resolverOf({ dnsServers }: CheckingTask): ResolveDns {
  const key = dnsServers.join(",");
  const resolver = resolvers.get(key) ?? createDnsResolver(dnsServers);
  resolvers.set(key, resolver);
  return resolver;
}
