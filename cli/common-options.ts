/** Options of every command. */
export const COMMON_OPTIONS = {
  "base-url": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;
