import { spawn } from "node:child_process";

/** Opens a URL in the default browser. Failures cannot be detected, so the caller must also print the URL. */
export function openBrowser(url: string): void {
  const [command, ...prefix] = OPENERS[process.platform] ?? ["xdg-open"];
  if (command === undefined) return;
  const child = spawn(command, [...prefix, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

// No `start` on Windows: it requires a shell, and the URL contains shell metacharacters.
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
