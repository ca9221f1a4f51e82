import { Parser } from "htmlparser2";

const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head"]);
/** Elements that do not end a line of text. */
const INLINE = new Set(["a", "abbr", "b", "bdi", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u"]);

/** Returns the text of a page, one line for each block. Elements that only a style hides are included. */
export function readVisibleText(html: string): string {
  let text = "";
  let hidden = 0;
  const parser = new Parser({
    onopentag(name) {
      if (HIDDEN.has(name)) hidden += 1;
      if (!INLINE.has(name)) text += "\n";
    },
    ontext(part) {
      if (hidden === 0) text += part.replace(/\s+/g, " ");
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (!INLINE.has(name)) text += "\n";
    },
  });
  parser.end(html);
  return text.replace(/ *\n[ \n]*/g, "\n").trim();
}
