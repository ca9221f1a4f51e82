/**
 * Sanitiser for untrusted HTML: removes everything active. First of two layers; the document that shows the HTML is sandboxed
 * as well (`message-document.ts`).
 */
import sanitizeHtml, { type IOptions } from "sanitize-html";

/** Deeper than real mail. The client's HTML parser may have a smaller stack than this one. */
const MAX_NESTING = 100;

/** A CSS value without `url()`, without escapes that could form one, and without functions that fetch or compute. */
const PLAIN_VALUE =
  /^(?!.*(?:url|image|image-set|element|expression|src|attr|env|var|-moz-binding)\s*\()[#\w\s.,%()'"!+-]{0,400}$/i;

/** Absolute URLs only: a relative one would resolve against the page that shows the HTML. */
const LINK_URL = /^\s*(?:https?:\/\/|mailto:|tel:)/i;
/** Image URLs. Of `data:` URLs, only raster images: SVG can contain scripts. */
const IMAGE_URL = /^\s*(?:https?:\/\/|cid:|data:image\/(?:png|gif|jpe?g|webp);base64,[\w+/=\s]*$)/i;

const STYLES = [
  ...[
    "color",
    "background-color",
    "opacity",
    "display",
    "vertical-align",
    "white-space",
    "word-break",
    "float",
    "clear",
  ],
  ...["font", "font-family", "font-size", "font-style", "font-weight", "line-height", "letter-spacing", "direction"],
  ...["text-align", "text-decoration", "text-indent", "text-transform", "list-style-type", "table-layout"],
  ...["width", "height", "min-width", "min-height", "max-width", "max-height", "border-collapse", "border-spacing"],
  ...["margin", "margin-top", "margin-right", "margin-bottom", "margin-left"],
  ...["padding", "padding-top", "padding-right", "padding-bottom", "padding-left"],
  ...["border", "border-top", "border-right", "border-bottom", "border-left", "border-radius"],
  ...["border-color", "border-style", "border-width"],
];

const TEXT_TAGS =
  "a abbr address b bdi bdo big blockquote br center cite code del dfn div em font hr i img ins kbd mark";
const MORE_TEXT_TAGS = "p pre q s samp small span strike strong sub sup time tt u var wbr h1 h2 h3 h4 h5 h6";
const BLOCK_TAGS = "article aside figure figcaption footer header main nav section dl dt dd ol ul li";
const TABLE_TAGS = "table caption colgroup col thead tbody tfoot tr td th";

const OPTIONS: IOptions = {
  allowedTags: [TEXT_TAGS, MORE_TEXT_TAGS, BLOCK_TAGS, TABLE_TAGS].join(" ").split(" "),
  // Without `id`, `name` and `class`: these affect the surrounding page.
  allowedAttributes: {
    "*": ["style", "dir", "lang", "title", "align", "valign", "bgcolor", "width", "height"],
    a: ["href", "rel", "target"],
    img: ["src", "alt", "border"],
    font: ["color", "face", "size"],
    ol: ["start", "type"],
    table: ["border", "cellpadding", "cellspacing"],
    td: ["colspan", "rowspan", "nowrap"],
    th: ["colspan", "rowspan", "nowrap", "scope"],
    col: ["span"],
    colgroup: ["span"],
    time: ["datetime"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "cid", "data"] },
  allowedSchemesAppliedToAttributes: ["href", "src"],
  allowProtocolRelative: false,
  allowedStyles: { "*": Object.fromEntries(STYLES.map((name) => [name, [PLAIN_VALUE]])) },
  // The content of these elements is not text, or parsers disagree on it.
  nonTextTags: [
    ...["script", "style", "textarea", "option", "select", "noscript", "title", "xmp", "iframe", "noembed", "noframes"],
    ...["plaintext", "svg", "math", "template", "object", "applet", "audio", "video", "canvas", "frameset"],
  ],
  disallowedTagsMode: "discard",
  nestingLimit: MAX_NESTING,
  enforceHtmlBoundary: false,
  parser: { decodeEntities: true, lowerCaseTags: true },
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: { ...filterAttribute("href", LINK_URL, attribs), rel: "noopener noreferrer nofollow", target: "_blank" },
    }),
    img: (tagName, attribs) => ({ tagName, attribs: filterAttribute("src", IMAGE_URL, attribs) }),
  },
};

/** Returns the attributes without `name` unless its value matches `form`. */
function filterAttribute(name: string, form: RegExp, attribs: Record<string, string>): Record<string, string> {
  if (form.test(attribs[name] ?? "")) return attribs;
  const { [name]: _dropped, ...others } = attribs;
  return others;
}

/**
 * Returns HTML with only text, links, tables and images; null when nothing remains. Links open in a new window and send no
 * referrer.
 */
export function sanitiseHtml(html: string): string | null {
  const clean = sanitizeHtml(html, OPTIONS).trim();
  return clean === "" ? null : clean;
}
