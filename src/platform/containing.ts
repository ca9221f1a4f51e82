/** The condition that a text holds `text`, in letters of any case. What LIKE takes for a pattern is meant as it stands. */
export function containsFilter(text: string) {
  return { contains: text.trim().replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
}
