const INVALID = '[aria-invalid="true"]';
const CONTROL = "input, select, textarea";

/**
 * Leads to the first field that was refused, by eye, keyboard and ear: when fields come to be wrong, by the page's own check or
 * by the service's answer, and when a form is sent again with the same one wrong.
 */
export function leadToProblems(): void {
  let known = new Set<Element>();
  new MutationObserver(() => {
    const wrong = [...document.querySelectorAll(INVALID)];
    const first = wrong.find((place) => !known.has(place));
    known = new Set(wrong);
    if (first) focusOn(first);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-invalid"] });

  document.addEventListener("submit", ({ target }) => {
    // By the next frame a form that went out again shows nothing as wrong.
    requestAnimationFrame(() => {
      const still = target instanceof Element && target.querySelector(INVALID);
      if (still) focusOn(still);
    });
  });
}

/** A choice of several is wrong as a whole. */
function focusOn(place: Element): void {
  const control = place.matches(CONTROL) ? place : place.querySelector(CONTROL);
  if (control instanceof HTMLElement) control.focus();
}
