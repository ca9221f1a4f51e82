/**
 * The MIME parser, with charsets. It collects the bytes of each text part and decodes them at the end, when all charsets that the
 * message declares are known. It overrides methods of the parser that are not part of its documented interface.
 */
import { Transform } from "node:stream";
import { MailParser, type MessageText } from "mailparser";
import { decodeText, findOwnLabel } from "./decode-text.ts";
import { findWordCharsets, toUtf8Field } from "./header-text.ts";

interface HeaderLine {
  readonly key: string;
  readonly line: string;
}

/** A part as the MIME splitter reads it. */
export interface Part {
  readonly headers: { getList(): HeaderLine[]; getFirst(name: string): string };
  contentType: string | false;
  charset: string | false;
  filename: string | false;
}

/** A part in the tree of the parser. */
export interface TreeNode {
  readonly node: Part;
  readonly parent?: TreeNode;
  readonly children: readonly TreeNode[];
  readonly contentType: string | false;
  readonly isAttachment?: boolean;
  charset?: string;
  textContent?: string;
}

export interface ParserInternals {
  readonly tree: TreeNode | false;
  readonly curnode: TreeNode | false;
  decoder: { decodeStream(charset: string): Transform };
  readonly libmime: {
    parseHeaderValue(value: string): { readonly params: Readonly<Record<string, string>> };
    decodeWords(text: string): string;
  };
  createNode(part: Part): TreeNode;
  processHeaders(lines: readonly HeaderLine[]): unknown;
  getTextContent(): MessageText;
}

const Parser = MailParser as unknown as new (
  options: ConstructorParameters<typeof MailParser>[0],
) => MailParser & ParserInternals;

/** A charset for which the parser calls `decodeStream`. */
const COLLECTED = "x-collected";

interface CollectedText {
  readonly node: TreeNode;
  readonly label: string | null;
  bytes: Buffer;
}

export class CharsetParser extends Parser {
  readonly #texts: CollectedText[] = [];
  readonly #fieldCharsets = new Set<string>();

  constructor(options: ConstructorParameters<typeof MailParser>[0]) {
    super(options);
    // The parser calls it for the node that it has just created.
    this.decoder = { decodeStream: () => this.#collect() };
  }

  override processHeaders(lines: readonly HeaderLine[]): unknown {
    return super.processHeaders(lines.map((one) => ({ ...one, line: this.#toUtf8(one.line) })));
  }

  override createNode(part: Part): TreeNode {
    if (part.filename !== false) part.filename = this.#readFilename(part) ?? part.filename;
    const node = super.createNode(part);
    const isText = node.contentType === "text/plain" || node.contentType === "text/html";
    if (isText && !node.isAttachment) node.charset = COLLECTED;
    return node;
  }

  override getTextContent(): MessageText {
    this.decodeTexts();
    return super.getTextContent();
  }

  /** Sets the text of all parts, at the first call. */
  decodeTexts(): void {
    const own = this.#texts.filter(isHtmlText).map(({ bytes }) => findOwnLabel(bytes) ?? "");
    const hints = [...this.#texts.map(({ label }) => label ?? ""), ...own, ...this.#fieldCharsets];
    for (const text of this.#texts.splice(0)) {
      const { node, label, bytes } = text;
      node.textContent = decodeText(bytes, { label, isHtml: isHtmlText(text), hints }).replace(/\r?\n/g, "\n");
    }
  }

  #collect(): Transform {
    const node = this.curnode;
    if (!node) throw new Error("The parser decodes text without a part.");
    const text: CollectedText = { node, label: node.node.charset || null, bytes: Buffer.alloc(0) };
    this.#texts.push(text);
    const chunks: Buffer[] = [];
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      flush(done) {
        text.bytes = Buffer.concat(chunks);
        done();
      },
    });
  }

  #toUtf8(line: string): string {
    for (const charset of findWordCharsets(line)) this.#fieldCharsets.add(charset);
    return toUtf8Field(line);
  }

  /** Returns the file name with its charset; null when the fields contain none. */
  #readFilename({ headers }: Part): string | null {
    const read = (name: string) => {
      const { line = "" } = headers.getList().find(({ key }) => key === name) ?? {};
      const value = line.slice(line.indexOf(":") + 1).replace(/\r?\n[ \t]*/g, " ");
      return this.libmime.parseHeaderValue(Buffer.from(toUtf8Field(value), "latin1").toString()).params;
    };
    const name = read("content-disposition")["filename"] ?? read("content-type")["name"];
    return name ? this.libmime.decodeWords(name) : null;
  }
}

function isHtmlText({ node }: CollectedText): boolean {
  return node.contentType === "text/html";
}
