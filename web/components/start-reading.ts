/** After what a page shows has changed altogether: the reader goes on at its top, by eye, keyboard and ear. */
export function startReading(): void {
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
}
