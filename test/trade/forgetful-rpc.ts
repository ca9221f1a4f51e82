import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { keccak256 } from "viem";

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly `0x${string}`[];
}

export interface ForgetfulRpc {
  readonly url: string;
  /** What was sent and not passed on, in its order. */
  readonly forgotten: `0x${string}`[];
  /** From now on everything is passed on. */
  heal(): void;
  close(): Promise<void>;
}

/** A node that takes every transaction, and loses it. */
export async function openForgetfulRpc(rpcUrl: string): Promise<ForgetfulRpc> {
  const forgotten: `0x${string}`[] = [];
  let isHealed = false;
  const ask = async (question: Question): Promise<object> => {
    const [raw] = question.params ?? [];
    if (question.method === "eth_sendRawTransaction" && raw && !isHealed) {
      forgotten.push(raw);
      return { jsonrpc: "2.0", id: question.id, result: keccak256(raw) };
    }
    const headers = { "content-type": "application/json" };
    const answer = await fetch(rpcUrl, { method: "POST", headers, body: JSON.stringify(question) });
    return (await answer.json()) as object;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const questions = JSON.parse(Buffer.concat(chunks).toString()) as Question | Question[];
    const answers = await (Array.isArray(questions) ? Promise.all(questions.map(ask)) : ask(questions));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forgotten,
    heal() {
      isHealed = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
