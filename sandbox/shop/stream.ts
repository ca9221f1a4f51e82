import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";

const CHUNK = Buffer.alloc(64 * 1024, "Every pocket in its place. ");

/** Streams `bytes` bytes no faster than they are read; stops when the reader goes away. */
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

/** A byte count from a query, 0 to 1 GiB; 1 MiB when absent or not a number. */
export function wantedBytes(value: unknown): number {
  const wanted = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : 2 ** 20;
  return Math.min(wanted, 2 ** 30);
}
