import type { Client } from "../clients/find-client.ts";

export const DEVICE_GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** Returns true if the client may use the device authorization grant: native applications, and others by registration. */
export function canUseDeviceGrant({ kind, deviceGrant }: Pick<Client, "kind" | "deviceGrant">): boolean {
  return kind === "command_line" || kind === "native" || deviceGrant;
}
