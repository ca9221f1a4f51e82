/** Content codings of a 402 response, which the service must read (RFC 9110 section 8.4). */
import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { TargetResponseInvalidError } from "../../platform/egress/errors.ts";

interface DecodeOptions {
  /** Decoding ends with an error above this size. */
  readonly maxOutputLength: number;
}
type Decode = (bytes: Buffer, options: DecodeOptions) => Promise<Buffer>;

/** More codings than this are refused, because each costs a pass over the body. */
const MAX_CODINGS = 4;
/** 8 MiB, the window that decoders must support (RFC 9659). A larger one could use 128 MiB of memory for each response. */
const MAX_ZSTD_WINDOW_LOG = 23;

const gunzipAsync: Decode = promisify(gunzip);
const unzstd = promisify(zstdDecompress);

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzipAsync],
  ["x-gzip", gunzipAsync],
  ["deflate", decodeDeflate],
  ["br", promisify(brotliDecompress)],
  [
    "zstd",
    (bytes, options) => unzstd(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } }),
  ],
]);

const inflateZlib: Decode = promisify(inflate);
const inflateDeflate: Decode = promisify(inflateRaw);

/** RFC 9110 section 8.4.1.2: `deflate` is the zlib format, but some servers send its content without the zlib header. */
function decodeDeflate(bytes: Buffer, options: DecodeOptions): Promise<Buffer> {
  // RFC 1950 section 2.2: compression method 8, and a header divisible by 31.
  const hasZlibHeader = bytes.byteLength > 1 && (bytes.readUInt8(0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return hasZlibHeader ? inflateZlib(bytes, options) : inflateDeflate(bytes, options);
}

/**
 * Decodes a body. The coding applied last is removed first.
 * @throws {TargetResponseInvalidError} when a coding is unknown, the bytes are not valid, or any step exceeds `maxBytes`
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const codings = listOf(contentEncoding).filter((coding) => coding !== "identity");
  if (bytes.byteLength === 0) return bytes;
  if (codings.length > MAX_CODINGS) {
    throw new TargetResponseInvalidError(`The target's 402 response has more than ${MAX_CODINGS} content codings.`);
  }
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    const decode = DECODERS.get(coding);
    if (!decode) {
      const name = coding.replace(/[^\x21-\x7e]/g, "").slice(0, 40);
      throw new TargetResponseInvalidError(`The target's 402 response has the unknown content coding ${name}.`);
    }
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      throw new TargetResponseInvalidError("The target's 402 response cannot be decompressed.", { cause: error });
    }
  }
  return decoded;
}

/**
 * Returns the `Accept-Encoding` of a request whose response the service may have to read: the caller's codings that can be
 * decoded, with their weights. `identity` if there are none.
 */
export function decodableEncodings(acceptEncoding: string | undefined): string {
  const accepted = listOf(acceptEncoding).filter((item) => {
    const coding = item.split(";")[0]?.trim() ?? "";
    return DECODERS.has(coding) || coding === "identity";
  });
  return accepted.length > 0 ? accepted.join(", ") : "identity";
}

function listOf(value: string | string[] | undefined): string[] {
  return [value ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "");
}
