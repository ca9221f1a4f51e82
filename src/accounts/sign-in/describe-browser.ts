const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A browser in a letter's words, such as "Firefox on Linux". Never its own words: whoever asks for a code chooses them,
 * and somebody else reads the letter.
 */
export function describeBrowser(userAgent: string | null): string {
  const nameIn = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  return `${browser ?? "an unknown browser"}${system ? ` on ${system}` : ""}`;
}
