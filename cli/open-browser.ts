import { spawn } from "node:child_process";

/** Opens a URL in the default browser. Failures are not detectable, so the caller prints the URL as well. */
export function openBrowser(url: string): void {
  const [command, ...prefix] = OPENERS[process.platform] ?? ["xdg-open"];
  if (command === undefined) return;
  const child = spawn(command, [...prefix, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

// Started without a shell, because the URL contains shell metacharacters.
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
