/**
 * Ends this process as soon as its parent process has ended. Preloaded (`node --import`), so that it also applies while the
 * program loads. Playwright kills its browsers when the process exits.
 */
let isIndependent = false;

if (process.send) {
  const exit = () => {
    if (isIndependent) return;
    // After the listeners that kill browsers. Without it, the exit can block forever (nodejs/node#54918).
    process.once("exit", () => process.kill(process.pid, "SIGKILL"));
    process.exit(1);
  };
  process.once("disconnect", exit);
  if (!process.connected) exit();
}

/** From now on, this process may outlive its parent. */
export function outliveParent(): void {
  isIndependent = true;
}
