/**
 * Reads messages in threads of their own, each within a time and a memory: whatever a message does to its reader, it does
 * not do to the service. One that cannot be read is kept as it came.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Piscina } from "piscina";
import type { Logger } from "../../platform/logger.ts";
import { cleanLine } from "./clean-text.ts";
import { type Envelope, type IncomingMessage, type SpooledAttachment, unchecked } from "./incoming-message.ts";
import type { ReadingResult, ReadingTask } from "./reading-thread.ts";
import type { SpooledMessage } from "./spool.ts";

const THREAD = join(import.meta.dirname, "reading-thread.ts");
/** Far longer than 35 MB take; DNS included. */
const READING_TIMEOUT_MS = 60_000;
/** Of each thread's heap; attachments never are in it. */
const THREAD_MEMORY_MB = 384;
const MAX_THREADS = 2;
const IDLE_MS = 60_000;

export interface MessageReader {
  /** Never fails for what is in the message. */
  read(spooled: SpooledMessage, envelope: Envelope): Promise<ReadingResult>;
  /** Loads what reads, which takes longer than reading: to be called when a message may be about to come. */
  warmUp(): void;
  close(): Promise<void>;
}

/** @param options.timeoutMs how long one message may take; a minute unless given */
export function createMessageReader(options: {
  readonly dnsServers: readonly string[];
  readonly hostname: string;
  readonly logger: Logger;
  readonly timeoutMs?: number;
}): MessageReader {
  const { dnsServers, hostname, logger, timeoutMs = READING_TIMEOUT_MS } = options;
  let pool: Piscina<ReadingTask, ReadingResult> | null = null;
  const opened = () => {
    pool ??= openPool(logger);
    return pool;
  };

  return {
    async read(spooled, envelope) {
      const { path, folder, sizeBytes } = spooled;
      try {
        const parts = join(folder, "parts");
        await mkdir(parts);
        const result = await opened().run(
          { path, folder: parts, envelope, dnsServers, hostname },
          { signal: AbortSignal.timeout(timeoutMs) },
        );
        return result.message.isCut ? { ...result, message: withWhole(result.message, spooled) } : result;
      } catch (error) {
        logger.warn({ err: error, sizeBytes }, "a message could not be read; it is kept as it came");
        return { message: unreadable(spooled, envelope), authentication: unchecked("permerror"), hops: 0 };
      }
    },
    warmUp: () => void opened(),
    close: async () => await pool?.destroy(),
  };
}

function openPool(logger: Logger): Piscina<ReadingTask, ReadingResult> {
  const pool = new Piscina<ReadingTask, ReadingResult>({
    filename: THREAD,
    minThreads: 1,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    // A message waits for DNS most of the time.
    concurrentTasksPerWorker: 4,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    // Strangers' mail is no business of the environment's secrets.
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  // A thread that ends is replaced, and its messages are told.
  pool.on("error", (error) => logger.warn({ err: error }, "a thread that reads mail ended"));
  return pool;
}

const UNREADABLE = "This message could not be read. It is attached as it came.";

function unreadable(spooled: SpooledMessage, { from }: Envelope): IncomingMessage {
  return {
    messageIdHeader: null,
    inReplyTo: null,
    references: [],
    from: { address: cleanLine(from, 320), name: "" },
    replyTo: null,
    to: [],
    cc: [],
    subject: "(unreadable message)",
    bodyText: UNREADABLE,
    extractedText: UNREADABLE,
    bodyHtml: null,
    // Nobody should answer what nobody could read.
    automated: "auto_reply",
    deliveryFailure: null,
    attachments: [wholeMessage(spooled)],
    isCut: false,
  };
}

function withWhole(message: IncomingMessage, spooled: SpooledMessage): IncomingMessage {
  return { ...message, attachments: [...message.attachments, wholeMessage(spooled)] };
}

/** The message's own bytes as an attachment. */
function wholeMessage({ path, sizeBytes, sha256 }: SpooledMessage): SpooledAttachment {
  return {
    path,
    filename: "message.eml",
    contentType: "message/rfc822",
    sizeBytes,
    sha256,
    contentId: null,
    isInline: false,
  };
}
