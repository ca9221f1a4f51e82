/** Text with `format=flowed` (RFC 3676): joins the lines of each paragraph, also within quoted text. */

/**
 * Returns the text with one line for each paragraph. Quoted paragraphs retain their depth.
 * @param deletesSpace value of the parameter `DelSp`: whether the space at a line's end is not part of the text
 */
export function joinFlowedText(text: string, deletesSpace: boolean): string {
  const joined: string[] = [];
  let parts: string[] = [];
  let depth = 0;
  const close = () => {
    if (parts.length > 0) joined.push(quote(parts.join(""), depth));
    parts = [];
  };
  for (const line of text.split("\n")) {
    const marks = countMarks(line);
    // A space after the marks is stuffed (section 4.4).
    const content = line.slice(line[marks] === " " ? marks + 1 : marks);
    const isSeparator = content === SIGNATURE_SEPARATOR;
    if (marks !== depth || isSeparator) close();
    depth = marks;
    const isFlowed = content.endsWith(" ") && !isSeparator;
    parts.push(isFlowed && deletesSpace ? content.slice(0, -1) : content);
    if (!isFlowed) close();
  }
  close();
  return joined.join("\n");
}

/** Ends with a space, but is not flowed (section 4.3). */
const SIGNATURE_SEPARATOR = "-- ";

function countMarks(line: string): number {
  let marks = 0;
  while (line[marks] === ">") marks += 1;
  return marks;
}

function quote(paragraph: string, depth: number): string {
  if (depth === 0) return paragraph;
  return `${">".repeat(depth)}${paragraph === "" ? "" : ` ${paragraph}`}`;
}
