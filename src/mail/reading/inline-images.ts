import { buffer } from "node:stream/consumers";
import { readAttachmentContent, type StoredContentDeps } from "../attachments.ts";
import type { InlineImage } from "./message-document.ts";

/** Limit for all inline images of a message together. Beyond it, the largest are omitted. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
const IMAGE_TYPES = ["image/png", "image/gif", "image/jpeg", "image/webp"];

/** Returns the attached images that a message's HTML shows, by Content-ID. */
export async function readInlineImages(
  deps: StoredContentDeps,
  messageId: string,
  contentIds: readonly string[],
): Promise<Map<string, InlineImage>> {
  const images = new Map<string, InlineImage>();
  if (contentIds.length === 0) return images;
  const files = await deps.db.prisma.mailAttachment.findMany({
    where: { messageId, contentId: { in: [...contentIds] }, contentType: { in: IMAGE_TYPES } },
    orderBy: { sizeBytes: "asc" },
  });
  let leftBytes = MAX_IMAGE_BYTES;
  for (const file of files) {
    const { contentId, contentType, sizeBytes } = file;
    leftBytes -= sizeBytes;
    if (contentId === null || leftBytes < 0) continue;
    images.set(contentId, { contentType, bytes: await buffer(readAttachmentContent(deps, file)) });
  }
  return images;
}
