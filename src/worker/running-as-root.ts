/** Returns whether Chromium runs without its own sandbox, because this process is root. Production refuses that. */
export function isRunningAsRoot(): boolean {
  return process.geteuid?.() === 0;
}
