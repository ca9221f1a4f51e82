/** Structured data, metadata and links of a merchant's page, read from its HTML without running scripts. */
import { Parser } from "htmlparser2";

export interface PageFacts {
  readonly lang: string | null;
  readonly title: string;
  /** Parsed contents of all `application/ld+json` scripts; invalid JSON is omitted. */
  readonly linkedData: readonly unknown[];
  /** Metadata by property, name or itemprop in lower case; the first value of each. */
  readonly meta: ReadonlyMap<string, string>;
  /** Links with unresolved `href`. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

const MAX_LINKS = 2_000;
const MAX_TEXT_LENGTH = 200;

export function readPage(html: string): PageFacts {
  const linkedData: unknown[] = [];
  const meta = new Map<string, string>();
  const links: { href: string; text: string }[] = [];
  let lang: string | null = null;
  let title = "";
  /** Element that receives the current text; null: ignored. */
  let within: "title" | "json" | "link" | null = null;
  let json = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href, content, type } = attributes;
      if (name === "html") lang = attributes["lang"]?.trim() || null;
      else if (name === "title" && title === "") within = "title";
      else if (name === "script" && /^application\/ld\+json\b/i.test(type?.trim() ?? "")) within = "json";
      else if (name === "a" && href && links.length < MAX_LINKS) {
        links.push({ href, text: "" });
        within = "link";
      }
      const key = attributes["property"] ?? attributes["name"] ?? attributes["itemprop"];
      const value = content ?? (name === "link" && attributes["itemprop"] ? href : undefined);
      const known = key?.trim().toLowerCase();
      if (known && value !== undefined && !meta.has(known)) meta.set(known, value.trim());
    },
    ontext(text) {
      const link = links.at(-1);
      if (within === "json") json += text;
      else if (within === "title") title += text;
      else if (within === "link" && link && link.text.length < MAX_TEXT_LENGTH) link.text += text;
    },
    onclosetag(name) {
      if (name === "script" && within === "json") {
        const data = parseJson(json);
        if (data !== undefined) linkedData.push(data);
        json = "";
      }
      if (name === "title" || name === "script" || name === "a") within = null;
    },
  });
  parser.end(html);
  const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
  return {
    ...{ lang, title: tidy(title), linkedData, meta },
    links: links.map(({ href, text }) => ({ href, text: tidy(text) })),
  };
}

/** Parses JSON. Tolerates line breaks in strings and comments around the script, both common on merchants' pages. */
function parseJson(text: string): unknown {
  const bare = text.replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[)|(?:-->|\/\/\s*\]\]>)\s*$/g, "");
  for (const attempt of [bare, bare.replace(/[\r\n\t]+/g, " ")]) {
    try {
      return JSON.parse(attempt);
    } catch {}
  }
  return undefined;
}
