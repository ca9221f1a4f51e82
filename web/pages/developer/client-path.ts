import { PATHS } from "../../app/paths.ts";

/** Returns the path of the page of an OAuth client. */
export const clientPath = (clientId: string) => PATHS.client.replace(":clientId", encodeURIComponent(clientId));
