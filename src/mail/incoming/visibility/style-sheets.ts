/** Style sheets that a message contains: `<style>` elements, and links to `data:` URLs. Others are not loaded. */
import type { ChildNode, Element } from "domhandler";
import { isText } from "domhandler";

export interface StyleSheet {
  readonly css: string;
  readonly media: string | null;
  /** Whether every client applies it. */
  readonly isCertain: boolean;
}

/** Returns the style sheet of an element; null if it has none. */
export function readStyleSheet({ name, attribs, children }: Element): StyleSheet | null {
  const media = attribs["media"]?.trim() || null;
  if (name === "style") {
    const type = attribs["type"]?.toLowerCase() ?? "";
    return { css: children.map(readText).join(""), media, isCertain: type === "" || type === "text/css" };
  }
  if (name !== "link" || !/(?:^|\s)stylesheet(?:\s|$)/i.test(attribs["rel"] ?? "")) return null;
  const css = readDataSheet(attribs["href"] ?? "");
  return css === null ? null : { css, media, isCertain: false };
}

const readText = (node: ChildNode) => (isText(node) ? node.data : "");

/** Returns the content of a `data:` URL (RFC 2397); null for other URLs, images and fonts. */
export function readDataSheet(url: string): string | null {
  const [, header = "", content = ""] = /^\s*data:([^,]*),(.*)$/is.exec(url.replace(/[\t\n\r]/g, "")) ?? [];
  if (content === "" || /^\s*(?:image|font|audio|video)\//i.test(header)) return null;
  // A malformed sequence remains, as in browsers.
  const decoded = content
    .replace(/#.*$/s, "")
    .replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"));
  return /;\s*base64\s*$/i.test(header) ? Buffer.from(decoded, "base64").toString("utf8") : decoded;
}
