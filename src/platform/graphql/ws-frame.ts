/**
 * Encodes one unmasked, final text frame (RFC 6455, section 5.2) of `head`, `tail` and a closing brace. The payload,
 * serialised once for a group, is copied instead of encoded again for each receiver.
 */
export function encodeTextFrame(head: Buffer, tail: Buffer): Buffer {
  const length = head.length + tail.length + 1;
  const offset = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(offset + length);
  frame[0] = 0x81;
  if (offset === 2) {
    frame[1] = length;
  } else if (offset === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  head.copy(frame, offset);
  tail.copy(frame, offset + head.length);
  frame[offset + length - 1] = 0x7d; // }
  return frame;
}

/** Returns the start of a `next` message (graphql-transport-ws), before the payload and a closing brace. */
export function encodeMessageHead(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
}
