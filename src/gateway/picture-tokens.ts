/** Estimate of the tokens of a picture, by OpenAI's published rule for tiles (platform.openai.com/docs/guides/images-vision). */
import { imageSize } from "image-size";

const BASE_TOKENS = 85;
const TOKENS_PER_TILE = 170;
const TILE_PIXELS = 512;
const MAX_PIXELS = 2_048;
const MAX_SHORT_SIDE_PIXELS = 768;
/** Size of a picture that the provider fetches itself. */
const UNKNOWN_SIZE = { width: 1_024, height: 1_024 };
/** Base64 characters that hold a header, also of a JPEG with a preview. */
const MAX_HEADER_CHARS = 256 * 1_024;

interface PicturePart {
  readonly image_url?: string | { readonly url?: unknown; readonly detail?: unknown } | null;
}

/** Returns the estimated tokens of a picture part. */
export function estimatePictureTokens(part: unknown): number {
  const { image_url: image } = (part ?? {}) as PicturePart;
  const { url, detail } = typeof image === "object" && image !== null ? image : { url: image, detail: null };
  if (detail === "low") return BASE_TOKENS;
  const { width, height } = readSize(url);
  const fitted = Math.min(1, MAX_PIXELS / Math.max(width, height));
  const scale = Math.min(fitted, MAX_SHORT_SIDE_PIXELS / Math.min(width, height));
  const tilesOf = (pixels: number) => Math.max(1, Math.ceil((pixels * scale) / TILE_PIXELS));
  return BASE_TOKENS + TOKENS_PER_TILE * tilesOf(width) * tilesOf(height);
}

function readSize(url: unknown): { readonly width: number; readonly height: number } {
  const [, data] = (typeof url === "string" && /^data:[^,]{0,200};base64,/.exec(url) && url.split(",", 2)) || [];
  if (data === undefined) return UNKNOWN_SIZE;
  try {
    const { width, height } = imageSize(Buffer.from(data.slice(0, MAX_HEADER_CHARS), "base64"));
    return width > 0 && height > 0 ? { width, height } : UNKNOWN_SIZE;
  } catch {
    return UNKNOWN_SIZE;
  }
}
