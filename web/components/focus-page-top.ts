/** Scrolls to the top and focuses the main element. Call it after the whole content of a page was replaced. */
export function focusPageTop(): void {
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
}
