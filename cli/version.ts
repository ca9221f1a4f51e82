/** Version 2.0.0 added sign-in through the browser (spec section 9). */
export const VERSION = "2.0.0";
/** The program name in messages: through npm, or as installed. */
export const PROGRAM = process.env["npm_lifecycle_event"] === "cli" ? "npm run cli --" : "satchel";
export const USER_AGENT = `satchel-cli/${VERSION}`;
