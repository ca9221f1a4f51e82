/** A WebSocket subscriber with little CPU cost: a TCP socket that counts frames without parsing their content. */
import { connect, type Socket } from "node:net";

/** Returns a masked text frame (RFC 6455, section 5.2) with a zero mask. Payloads of at most 65,535 bytes. */
function createClientFrame(message: object): Buffer {
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

/** An empty masked pong frame. The server disconnects clients that do not reply to pings. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Returns a reader of chunks that calls `onText` for each complete text frame and `onPing` for each complete ping. */
function createFrameReader(onText: () => void, onPing: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let offset = 0;
    while (offset + 2 <= data.length) {
      const shortLength = (data[offset + 1] ?? 0) & 0x7f;
      const headerLength = shortLength < 126 ? 2 : 4;
      if (offset + headerLength > data.length) break;
      const end = offset + headerLength + (shortLength < 126 ? shortLength : data.readUInt16BE(offset + 2));
      if (end > data.length) break;
      if (data[offset] === 0x81) onText();
      else if (data[offset] === 0x89) onPing();
      offset = end;
    }
    rest = data.subarray(offset);
  };
}

/**
 * Connects, subscribes to `query`, and calls `onMessage` for each message.
 * @param headers additional headers of the upgrade request
 */
export async function openSubscriber(
  port: number,
  query: string,
  onMessage: () => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  // The server stops while subscribers are connected.
  socket.on("error", () => {});
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    "GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n" +
      `${headerLines.join("")}\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  const acknowledged = Promise.withResolvers<void>();
  let receive = () => acknowledged.resolve();
  socket.on(
    "data",
    createFrameReader(
      () => receive(),
      () => socket.write(PONG),
    ),
  );
  socket.write(createClientFrame({ type: "connection_init" }));
  await acknowledged.promise;
  receive = onMessage;
  socket.write(createClientFrame({ id: "1", type: "subscribe", payload: { query } }));
  return socket;
}
