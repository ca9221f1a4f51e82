import type { Socket } from "node:net";

/** Responds to an upgrade request with an error and closes the connection. @param status such as `404 Not Found` */
export function rejectUpgrade(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
