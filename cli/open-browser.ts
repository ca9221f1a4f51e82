import { spawn } from "node:child_process";

/** Asks the system to show an address; whether it could is not known, so the address is printed as well. */
export function openBrowser(url: string): void {
  const [command, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  if (command === undefined) return;
  const child = spawn(command, [...before, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

// No shell sees the address: it holds characters that one would act on.
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
