/** A message's HTML as a sandboxed document: no script runs, and remote images load only on request. */
import sanitizeHtml from "sanitize-html";
import type { MailAttachment } from "../../../generated/prisma/client.ts";

/**
 * Popups are allowed for links; the same origin lets the embedding page measure the document. Both are safe because scripts are
 * not allowed.
 */
const SANDBOX = "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** URL of an attachment of the same message (RFC 2392). */
const CONTENT_ID_URL = /^cid:/i;
const REMOTE_URL = /^https?:/i;
/** Safe on sanitised HTML: quotes and brackets are escaped everywhere except in markup. */
const REMOTE_IMAGE = /<img\b[^>]*\ssrc="https?:/i;

// Always light: HTML mail is designed for a white background.
const STYLE = `:root { color-scheme: light; background: #fff; color: #1c1b19 }
body { margin: 0; padding: 16px; font: 15px/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
table { max-width: 100% }
a { color: #9a4f1e }
blockquote { margin: 0 0 0 8px; padding-left: 12px; border-left: 2px solid #e4e0d8 }
pre { white-space: pre-wrap }`;

/** Returns the document's Content-Security-Policy. @param showsImages whether remote images may load */
export function createDocumentPolicy(showsImages: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${showsImages ? " https: http:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    SANDBOX,
  ].join("; ");
}

/** Returns true if stored HTML has remote images. Their server learns when, and from which IP address, a message is read. */
export function hasRemoteImages(bodyHtml: string): boolean {
  return REMOTE_IMAGE.test(bodyHtml);
}

/** Returns the Content-IDs of attachments that the HTML shows, without angle brackets. */
export function findContentIds(bodyHtml: string): string[] {
  const ids = new Set<string>();
  rewriteImages(bodyHtml, (src) => {
    if (CONTENT_ID_URL.test(src)) ids.add(parseContentId(src));
    return src;
  });
  return [...ids];
}

/** An attached image. */
export type InlineImage = Pick<MailAttachment, "contentType"> & { readonly bytes: Uint8Array };

/**
 * Renders the document.
 * @param bodyHtml the stored, sanitised HTML
 * @param images attached images by Content-ID
 * @param showsImages whether remote images may load
 */
export function renderMessageDocument(
  bodyHtml: string,
  images: ReadonlyMap<string, InlineImage>,
  showsImages: boolean,
): string {
  const body = rewriteImages(bodyHtml, (src) => {
    if (CONTENT_ID_URL.test(src)) {
      const image = images.get(parseContentId(src));
      return image ? `data:${image.contentType};base64,${Buffer.from(image.bytes).toString("base64")}` : null;
    }
    // A blocked image loses its URL; otherwise the browser would show a broken image.
    return showsImages || !REMOTE_URL.test(src) ? src : null;
  });
  return `<!doctype html>
<html lang="und"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Message</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

function parseContentId(src: string): string {
  const id = src.replace(CONTENT_ID_URL, "");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Returns the HTML with the URL of each image replaced by `rewrite`; null removes the URL. */
function rewriteImages(bodyHtml: string, rewrite: (src: string) => string | null): string {
  return sanitizeHtml(bodyHtml, {
    // Stored HTML is already sanitised, and the Content-Security-Policy covers anything that was missed.
    allowedTags: false,
    allowVulnerableTags: true,
    allowedAttributes: false,
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https", "cid", "data"] },
    parseStyleAttributes: false,
    transformTags: {
      img: (tagName, { src, ...attribs }) => {
        const rewritten = src === undefined ? null : rewrite(src.trim());
        return { tagName, attribs: rewritten === null ? attribs : { ...attribs, src: rewritten } };
      },
    },
  });
}
