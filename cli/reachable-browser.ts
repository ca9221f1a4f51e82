import { existsSync } from "node:fs";

/** Files that Docker and Podman create in a container. */
const CONTAINER_FILES = ["/.dockerenv", "/run/.containerenv"];

/**
 * Returns true if a browser of the user can probably open a port of this machine. Over SSH, in a container, and on Linux
 * without a display it cannot.
 */
export function hasReachableBrowser(): boolean {
  const { SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (SSH_CONNECTION || SSH_TTY || CONTAINER_FILES.some((file) => existsSync(file))) return false;
  return process.platform !== "linux" || !!(DISPLAY || WAYLAND_DISPLAY);
}
