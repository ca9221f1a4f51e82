/** What a thread does with a message: nothing here may touch the database or a secret, for strangers' bytes are read here. */

import { authenticateSender } from "./authenticate-sender.ts";
import { createDnsResolver, type ResolveDns } from "./dns-resolver.ts";
import { type Authentication, type Envelope, type IncomingMessage, unchecked } from "./incoming-message.ts";
import { readMessageHead } from "./message-head.ts";
import { parseMessage } from "./parse-message.ts";

export interface ReadingTask {
  readonly path: string;
  /** Where attachments go. */
  readonly folder: string;
  readonly envelope: Envelope;
  readonly dnsServers: readonly string[];
  /** What this server calls itself. */
  readonly hostname: string;
}

export interface ReadingResult {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  /** How many servers it came through. */
  readonly hops: number;
}

const resolvers = new Map<string, ResolveDns>();

export default async function readMessage(task: ReadingTask): Promise<ReadingResult> {
  const { path, folder, envelope, hostname } = task;
  const head = await readMessageHead(path);
  const message = await parseMessage(path, folder, envelope.from);
  // A stranger's name server that fails in an unforeseen way says nothing about the message.
  const authentication = await authenticateSender(
    { path, envelope, head, hostname },
    message.from.address,
    resolverOf(task),
  ).catch(() => unchecked("temperror"));
  return { message, authentication, hops: head.count("received") };
}

function resolverOf({ dnsServers }: ReadingTask): ResolveDns {
  const key = dnsServers.join(",");
  const resolver = resolvers.get(key) ?? createDnsResolver(dnsServers);
  resolvers.set(key, resolver);
  return resolver;
}
