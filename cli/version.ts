export const VERSION = "2.0.0";
/** Command in messages: `npm run cli --` in the repository, `satchel` if installed. */
export const PROGRAM = process.env["npm_lifecycle_event"] === "cli" ? "npm run cli --" : "satchel";
export const USER_AGENT = `satchel-cli/${VERSION}`;
