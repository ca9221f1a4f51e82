import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";

const CHUNK = Buffer.alloc(64 * 1024, "Every pocket in its place. ");

/** Streams `bytes` bytes with backpressure. Stops when the client disconnects. */
export async function streamBytes(response: Response, bytes: number): Promise<void> {
  response.set("content-type", "application/octet-stream");
  response.set("content-length", String(bytes));
  await pipeline(Readable.from(chunks(bytes)), response).catch(() => {});
}

function* chunks(bytes: number): Generator<Buffer> {
  let left = bytes;
  for (; left >= CHUNK.length; left -= CHUNK.length) yield CHUNK;
  if (left > 0) yield CHUNK.subarray(0, left);
}

/** Parses a byte count from a query parameter; at most 1 GiB. Returns 1 MiB if the value is absent or invalid. */
export function requestedBytes(value: unknown): number {
  const requested = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : 2 ** 20;
  return Math.min(requested, 2 ** 30);
}
