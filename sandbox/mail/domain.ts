/** Where the sandbox's own correspondents live. */
export const CORRESPONDENT_DOMAIN = "correspondent.example";
/** What its mail server calls itself. */
export const RELAY_NAME = `relay.${CORRESPONDENT_DOMAIN}`;
