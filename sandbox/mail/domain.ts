/** Domain of the sandbox's correspondents. */
export const CORRESPONDENT_DOMAIN = "correspondent.example";
/** Host name of the sandbox's mail server. */
export const RELAY_NAME = `relay.${CORRESPONDENT_DOMAIN}`;
