import { buffer } from "node:stream/consumers";
import type { Database } from "../../platform/database/connection.ts";
import { readAttachmentContent } from "../attachments.ts";
import type { InlineImage } from "./message-document.ts";

/** Limit for all inline images of a message together. Beyond it, the largest are omitted. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
const IMAGE_TYPES = ["image/png", "image/gif", "image/jpeg", "image/webp"];

/** Returns the attached images that a message's HTML shows, by Content-ID. */
export async function readInlineImages(
  db: Database,
  messageId: string,
  contentIds: readonly string[],
): Promise<Map<string, InlineImage>> {
  const images = new Map<string, InlineImage>();
  if (contentIds.length === 0) return images;
  const files = await db.prisma.mailAttachment.findMany({
    where: { messageId, contentId: { in: [...contentIds] }, contentType: { in: IMAGE_TYPES } },
    orderBy: { sizeBytes: "asc" },
  });
  let leftBytes = MAX_IMAGE_BYTES;
  for (const { id, contentId, contentType, sizeBytes } of files) {
    leftBytes -= sizeBytes;
    if (contentId === null || leftBytes < 0) continue;
    images.set(contentId, { contentType, bytes: await buffer(readAttachmentContent(db, id)) });
  }
  return images;
}
