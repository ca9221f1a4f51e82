/** A message's HTML as a document of its own, shut in: nothing runs, and nothing is loaded that was not asked for. */
import sanitizeHtml from "sanitize-html";
import type { MailAttachment } from "../../../generated/prisma/client.ts";

/** Links may open a window of their own; the page around the document may measure it. Without scripts, neither reaches anything. */
const SANDBOX = "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** How its HTML names a file of the same message (RFC 2392). */
const CONTENT_ID_URL = /^cid:/i;
const ELSEWHERE = /^https?:/i;
/** In what the sanitiser writes, quotes and brackets stand for themselves nowhere else. */
const REMOTE_IMAGE = /<img\b[^>]*\ssrc="https?:/i;

// Letters are written for white paper, whatever colours the reader's screen has.
const STYLE = `:root { color-scheme: light; background: #fff; color: #1c1b19 }
body { margin: 0; padding: 16px; font: 15px/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
table { max-width: 100% }
a { color: #9a4f1e }
blockquote { margin: 0 0 0 8px; padding-left: 12px; border-left: 2px solid #e4e0d8 }
pre { white-space: pre-wrap }`;

/** The policy that the document is served with. @param showsImages whether pictures may come from elsewhere */
export function documentPolicy(showsImages: boolean): string {
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

/** Whether HTML, as it is stored, shows pictures from elsewhere: whoever keeps them learns when they are looked at, and by whom. */
export function hasRemoteImages(bodyHtml: string): boolean {
  return REMOTE_IMAGE.test(bodyHtml);
}

/** The `Content-ID`s of its own files that HTML shows, without angle brackets. */
export function shownContentIds(bodyHtml: string): string[] {
  const ids = new Set<string>();
  eachImage(bodyHtml, (src) => {
    if (CONTENT_ID_URL.test(src)) ids.add(contentIdOf(src));
    return src;
  });
  return [...ids];
}

/** A picture of the message's own. */
export type InlineImage = Pick<MailAttachment, "contentType"> & { readonly bytes: Uint8Array };

/**
 * The document.
 * @param bodyHtml as it is stored: sanitised
 * @param images the message's own pictures by their Content-ID
 */
export function messageDocument(
  bodyHtml: string,
  images: ReadonlyMap<string, InlineImage>,
  showsImages: boolean,
): string {
  const body = eachImage(bodyHtml, (src) => {
    if (CONTENT_ID_URL.test(src)) {
      const image = images.get(contentIdOf(src));
      return image ? `data:${image.contentType};base64,${Buffer.from(image.bytes).toString("base64")}` : null;
    }
    // Left out, or a picture that may not be loaded stands there as a broken one.
    return showsImages || !ELSEWHERE.test(src) ? src : null;
  });
  return `<!doctype html>
<html lang="und"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Message</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

function contentIdOf(src: string): string {
  const id = src.replace(CONTENT_ID_URL, "");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The HTML with each picture's address put through `rewrite`; null leaves the picture without one. */
function eachImage(bodyHtml: string, rewrite: (src: string) => string | null): string {
  return sanitizeHtml(bodyHtml, {
    // What is stored was sanitised; whatever it missed meets the policy.
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
