/** A subscriber that costs next to nothing: a bare TCP socket whose WebSocket frames are counted, not parsed. */
import { connect, type Socket } from "node:net";

/** A masked client frame with a zero mask. */
function clientFrame(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(payload.length < 126 ? 6 : 8);
  header[0] = 0x81;
  if (payload.length < 126) header[1] = 0x80 | payload.length;
  else {
    header[1] = 0x80 | 126;
    header.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([header, payload]);
}

/** An empty pong: who does not answer pings is cut. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Finds whole frames in a stream of chunks: calls `onText` for each text and `onPing` for each ping. */
function frameReader(onText: () => void, onPing: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    while (at + 2 <= data.length) {
      const short = (data[at + 1] ?? 0) & 0x7f;
      const header = short < 126 ? 2 : 4;
      if (at + header > data.length) break;
      const end = at + header + (short < 126 ? short : data.readUInt16BE(at + 2));
      if (end > data.length) break;
      if (data[at] === 0x81) onText();
      else if (data[at] === 0x89) onPing();
      at = end;
    }
    rest = data.subarray(at);
  };
}

/** Connects, subscribes to `query`, and calls `onMessage` for each message. @param headers of the upgrade, besides its own */
export async function openSubscriber(
  port: number,
  query: string,
  onMessage: () => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  // The server ends while they are still connected.
  socket.on("error", () => {});
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    "GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n" +
      `${more.join("")}\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  const acknowledged = Promise.withResolvers<void>();
  let receive = () => acknowledged.resolve();
  socket.on(
    "data",
    frameReader(
      () => receive(),
      () => socket.write(PONG),
    ),
  );
  socket.write(clientFrame({ type: "connection_init" }));
  await acknowledged.promise;
  receive = onMessage;
  socket.write(clientFrame({ id: "1", type: "subscribe", payload: { query } }));
  return socket;
}
