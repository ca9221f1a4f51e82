/** The live server of a worker, for tests of what goes through to whoever watches. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface LiveWorker {
  readonly url: string;
  /** What was asked for: the lease and the authorization of each line. */
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[];
  /** Everything said to it, as text. */
  readonly heard: string[];
  /** How many lines were ever opened. */
  readonly opened: number;
  /** The lines that are open. */
  readonly lines: ReadonlySet<WebSocket>;
  /** Says it on every line, and to those that come later. */
  say(word: object): void;
  show(jpeg: Buffer): void;
  stop(): Promise<void>;
}

/** A picture that can be told from others; 1 KiB unless said. */
export function picture(number: number, bytes = 1_024): Buffer {
  const jpeg = Buffer.alloc(bytes);
  jpeg.set([0xff, 0xd8, 0xff, 0xe0]);
  jpeg.writeUInt32BE(number, 4);
  return jpeg;
}

export const numberOf = (jpeg: Buffer) => jpeg.readUInt32BE(4);

/** @param options.token what it lets in; whoever shows another is answered 401 */
export async function startLiveWorker({ token, port = 0 }: { token: string; port?: number }): Promise<LiveWorker> {
  const asked: LiveWorker["asked"] = [];
  const heard: string[] = [];
  const said: string[] = [];
  const lines = new Set<WebSocket>();
  let opened = 0;
  const http = createServer();
  const sockets = new WebSocketServer({
    server: http,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const { authorization } = req.headers;
      asked.push({ path: req.url ?? "", authorization });
      return authorization === `Bearer ${token}`;
    },
  });
  sockets.on("connection", (socket) => {
    opened += 1;
    lines.add(socket);
    socket.on("close", () => lines.delete(socket));
    socket.on("message", (data) => heard.push(String(data)));
    for (const word of said) socket.send(word);
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    heard,
    lines,
    get opened() {
      return opened;
    },
    say(word) {
      said.push(JSON.stringify(word));
      for (const line of lines) line.send(JSON.stringify(word));
    },
    show(jpeg) {
      for (const line of lines) line.send(jpeg);
    },
    async stop() {
      for (const line of lines) line.terminate();
      sockets.close();
      http.close();
      await once(http, "close");
    },
  };
}
