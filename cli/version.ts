/** Sign-in through the browser came with 2.0.0 (spec section 9). */
export const VERSION = "2.0.0";
/** How it is called: through npm, or by whatever name it was installed under. */
export const PROGRAM = process.env["npm_lifecycle_event"] === "cli" ? "npm run cli --" : "satchel";
export const USER_AGENT = `satchel-cli/${VERSION}`;
