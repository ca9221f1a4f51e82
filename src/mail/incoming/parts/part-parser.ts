/**
 * The MIME parser with the text types and encodings that it lacks. It overrides two methods of the parser that are not part of
 * its documented interface: a release of it that changes them fails the tests.
 */
import { Transform } from "node:stream";
import type { MessageText } from "mailparser";
import { CharsetParser, type Part, type TreeNode } from "../charset/charset-parser.ts";
import { findCharset, readMediaType } from "./content-type.ts";
import { enrichedToHtml } from "./enriched-text.ts";
import { joinFlowedText } from "./flowed-text.ts";
import { type EncodedFile, extractEncodedFiles } from "./uuencode.ts";

/** A part as the MIME splitter reads it. */
interface SplitPart extends Part {
  readonly parentNode?: Part | false;
  readonly encoding: string | false;
  readonly disposition: string | false;
  flowed: boolean;
  readonly delSp: boolean;
  getDecoder: () => Transform;
}

/** Types that are read as another one. */
const READ_AS: Readonly<Record<string, string>> = {
  "text/markdown": "text/plain",
  "text/x-markdown": "text/plain",
  "text/x-web-markdown": "text/plain",
  "text/enriched": "text/html",
  "text/richtext": "text/html",
};
const ENRICHED = new Set(["text/enriched", "text/richtext"]);
const UUENCODE = /^(?:x-)?uue(?:ncode)?$/;

export class PartParser extends CharsetParser {
  /** Files that the text contains in uuencode. */
  readonly encodedFiles: EncodedFile[] = [];
  readonly #sources = new Map<
    Part,
    { readonly type: string; readonly isFlowed: boolean; readonly deletesSpace: boolean }
  >();

  override createNode(part: SplitPart): TreeNode {
    const field = part.headers.getFirst("Content-Type");
    // Without the field, the parser has derived the type from the file name.
    const type = field.trim() === "" ? part.contentType || "text/plain" : readMediaType(field);
    const isText = part.filename === false && part.disposition !== "attachment" && !this.#isAlternative(part);
    part.contentType = (isText && READ_AS[type]) || type;
    if (part.charset === false) part.charset = findCharset(field) ?? false;
    if (typeof part.encoding === "string" && UUENCODE.test(part.encoding)) part.getDecoder = () => new UuDecoder();
    this.#sources.set(part, { type, isFlowed: part.flowed, deletesSpace: part.delSp });
    // Joined below, after the charset is decoded, with its quotes.
    part.flowed = false;
    return super.createNode(part);
  }

  /** Returns true if the part repeats text that the parser has already found. */
  #isAlternative({ parentNode: parent }: SplitPart): boolean {
    if (!parent) return false;
    if (parent.contentType !== "multipart/alternative") return false;
    let node: TreeNode | undefined = this.curnode || undefined;
    while (node && node.node !== parent) node = node.parent;
    return (
      node?.children.some(({ contentType }) => contentType === "text/plain" || contentType === "text/html") ?? false
    );
  }

  override getTextContent(): MessageText {
    this.decodeTexts();
    const open: TreeNode[] = this.tree ? [this.tree] : [];
    for (let node = open.pop(); node; node = open.pop()) {
      open.push(...node.children.toReversed());
      if (node.textContent) node.textContent = this.#readText(node, node.textContent);
    }
    return super.getTextContent();
  }

  #readText({ node: part, contentType }: TreeNode, content: string): string {
    const source = this.#sources.get(part);
    if (source && ENRICHED.has(source.type) && contentType === "text/html") return enrichedToHtml(content);
    if (contentType !== "text/plain") return content;
    const { text, files } = extractEncodedFiles(content);
    this.encodedFiles.push(...files);
    return source?.isFlowed ? joinFlowedText(text, source.deletesSpace) : text;
  }
}

/** Decodes a part whose transfer encoding is uuencode. A part without a complete block remains as it is. */
class UuDecoder extends Transform {
  readonly #chunks: Buffer[] = [];

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: () => void): void {
    const raw = Buffer.concat(this.#chunks);
    const { files } = extractEncodedFiles(raw.toString("latin1"));
    this.push(files[0]?.bytes ?? raw);
    done();
  }
}
