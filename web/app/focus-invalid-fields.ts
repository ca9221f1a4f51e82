const INVALID = '[aria-invalid="true"]';
const CONTROL = "input, select, textarea";

/**
 * Focuses the first field that becomes invalid, by the page's own check or by an error from the service. Also focuses the
 * first invalid field when a form is resubmitted with the same error.
 */
export function focusInvalidFields(): void {
  let knownInvalid = new Set<Element>();
  new MutationObserver(() => {
    const invalid = [...document.querySelectorAll(INVALID)];
    const firstNew = invalid.find((element) => !knownInvalid.has(element));
    knownInvalid = new Set(invalid);
    if (firstNew) focusControl(firstNew);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-invalid"] });

  document.addEventListener("submit", ({ target }) => {
    // A form that passed its own check has cleared its errors by the next frame.
    requestAnimationFrame(() => {
      const invalid = target instanceof Element && target.querySelector(INVALID);
      if (invalid) focusControl(invalid);
    });
  });
}

/** In an invalid group of controls, focuses the first control. */
function focusControl(element: Element): void {
  const control = element.matches(CONTROL) ? element : element.querySelector(CONTROL);
  if (control instanceof HTMLElement) control.focus();
}
