/** Ends the process if the reader of standard output, such as `head`, closed the pipe before the end of the output. */
export function exitIfOutputClosed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
