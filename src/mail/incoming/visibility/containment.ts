/** Whether a box clips its content, and whether its size ignores it (CSS Containment Level 2 and 3). */

type Get = (property: string) => string;

/** Returns true if content outside of the box is not painted. */
export function clipsContent(get: Get): boolean {
  const overflow = get("overflow");
  return (
    (overflow !== "" && !/^(?:visible|initial|unset)$/.test(overflow)) || /strict|content|paint/.test(get("contain"))
  );
}

/** Returns the dimensions that are zero unless the style sets them. */
export function listContainedSizes(get: Get): readonly ("width" | "height")[] {
  const value = `${get("contain")} ${get("container-type")}`;
  if (/strict|(?<!-)\bsize/.test(value)) return ["height", "width"];
  return value.includes("inline-size") ? ["width"] : [];
}
