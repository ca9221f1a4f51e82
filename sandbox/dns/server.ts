/** Name server for the sandbox's domains (RFC 1035, over UDP and TCP). It makes local SPF, DKIM and DMARC checks possible. */
import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  streamDecode,
  streamEncode,
  TRUNCATED_RESPONSE,
} from "dns-packet";
import type { Ports } from "../ports.ts";
import type { Zone } from "./zone.ts";

/** Maximum size of a UDP response without EDNS (RFC 1035 section 4.2.1). */
const MAX_UDP_BYTES = 512;
const NO_SUCH_NAME = 3;
const IDLE_MS = 10_000;

export interface DnsServer {
  /** Host and port, such as `127.0.0.1:5353`. */
  readonly address: string;
  stop(): Promise<void>;
}

export async function startDnsServer(zone: Zone, ports: Ports): Promise<DnsServer> {
  const tcp = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const query = tryDecode(() => streamDecode(received));
      if (query) socket.end(streamEncode(respondTo(zone, query)));
      else socket.destroy();
    });
  });
  const { hostname, port } = new URL(await ports.listen("dns", tcp));
  const host = hostname.replace(/^\[|\]$/g, "");
  const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
  udp.on("message", (bytes, peer) => {
    const query = tryDecode(() => decode(bytes));
    if (!query) return;
    const response = respondTo(zone, query);
    const encoded = encode(response);
    const flags = (response.flags ?? 0) | TRUNCATED_RESPONSE;
    udp.send(
      encoded.length <= MAX_UDP_BYTES ? encoded : encode({ ...response, flags, answers: [] }),
      peer.port,
      peer.address,
    );
  });
  await bind(udp, Number(port), host);
  return { address: `${hostname}:${port}`, stop: () => stop(tcp, udp) };
}

function respondTo(zone: Zone, { id = 0, questions = [] }: Packet): Packet {
  const [question] = questions;
  const found = question ? zone.find(question.name, question.type) : null;
  return {
    type: "response",
    id,
    flags: AUTHORITATIVE_ANSWER | (found === null ? NO_SUCH_NAME : 0),
    questions,
    answers: found ?? [],
  };
}

/** Decodes a DNS message; undefined if it is malformed. */
function tryDecode(decoded: () => Packet): Packet | undefined {
  try {
    return decoded();
  } catch {
    return undefined;
  }
}

function bind(udp: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    udp.once("error", reject);
    udp.bind(port, host, () => {
      udp.off("error", reject);
      udp.on("error", () => {});
      resolve();
    });
  });
}

async function stop(tcp: Server, udp: Socket): Promise<void> {
  await new Promise<void>((resolve) => udp.close(() => resolve()));
  await new Promise((resolve) => tcp.close(resolve));
}
