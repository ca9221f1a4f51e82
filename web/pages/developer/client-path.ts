import { PATHS } from "../../app/paths.ts";

/** The address of one application's page. */
export const clientPath = (clientId: string) => PATHS.client.replace(":clientId", encodeURIComponent(clientId));
