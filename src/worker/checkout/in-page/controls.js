// Reads the clickable elements of a document. Runs in a merchant's document, which is untrusted.
(dom, addElement, forms) => {
  const { clean, query, closest, isShown, visibleTextOf, imageTextOf, textOf, overlayOf } = dom;
  const MAX_CONTROLS = 400;
  const CONTROL = [
    ...["button", "input[type=submit]", "input[type=button]", "input[type=image]", "a[href]", "[role=button]"],
    ...["a[onclick]", "a:not([href])[class]", "summary"],
    ...['[tabindex="0"][class*="button" i]', '[tabindex="0"][class*="btn" i]'],
    ...["div[onclick]", "span[onclick]", "li[onclick]", "tr[onclick]"],
  ].join(", ");
  const INTERACTIVE = "a, button, input, select, textarea, label, [role], [tabindex], form";
  const MAX_CARD_LENGTH = 200;
  /** An amount, or a card as a way to pay. */
  const NAMES_OPTION = /\d|card|karte|\bcarte\b|tarjeta|\bcarta\b|kaart|\bkart[aąy]\b|kort\b|cartão|カード/i;

  /** Boxes that scripts made clickable, such as one for each delivery or way to pay. Only their cursor shows it. */
  const isClickableBox = (element) => {
    const { length } = element.textContent;
    if (length === 0 || length > 2 * MAX_CARD_LENGTH || !NAMES_OPTION.test(element.textContent)) return false;
    if (element.matches(INTERACTIVE) || element.querySelector(INTERACTIVE) || element.closest(INTERACTIVE))
      return false;
    const hasPointer = (one) => one !== null && getComputedStyle(one).cursor === "pointer";
    return hasPointer(element) && !hasPointer(element.parentElement) && textOf(element).length <= MAX_CARD_LENGTH;
  };

  const controls = [];
  const elements = [];
  const candidates = new Set(query(CONTROL));
  for (const box of query("div, li, article, tr")) if (isClickableBox(box)) candidates.add(box);
  for (const control of candidates) {
    if (controls.length >= MAX_CONTROLS) break;
    if (
      !isShown(control) ||
      control.matches('[role=combobox], [role=radio], [role=checkbox], [role=switch], [aria-haspopup="listbox"]')
    )
      continue;
    // The inner element of a component is the one to click.
    if (control.shadowRoot?.querySelector("button, a[href]")) continue;
    const text = clean(
      [
        control.getAttribute("aria-label") ?? "",
        control.localName === "input"
          ? control.value || control.alt || control.title
          : visibleTextOf(control, 120) || imageTextOf(control, 120),
      ].join(" "),
      120,
    );
    const form = control.form ?? (control.localName === "a" ? null : closest(control, "form"));
    const isSubmit = control.form != null && /^(?:submit|image)$/.test(control.type);
    elements.push(control);
    controls.push({
      index: addElement(control),
      tag: control.localName,
      text,
      name: clean(control.getAttribute("name"), 100),
      id: clean(control.id, 100),
      href: control.localName === "a" && control.href ? control.href.slice(0, 2_000) : null,
      disabled: control.disabled === true || control.getAttribute("aria-disabled") === "true",
      isSubmit,
      isPressed: ["aria-pressed", "aria-checked", "aria-selected", "aria-current"].some(
        (name) => control.getAttribute(name) === "true",
      ),
      form: forms.indexOf(form),
      overlay: overlayOf(control),
      row: "",
      // The form's action, although a script may send the request to another address.
      posts:
        isSubmit && form.getAttribute("action") && form.method === "post"
          ? new URL(form.getAttribute("action"), document.baseURI).href
          : null,
    });
  }

  // Around one of several controls with the same text, such as “Select” beside each delivery: what has none of the others.
  const MAX_LEVELS = 8;
  const MAX_SAME = 20;
  controls.forEach((control, at) => {
    if (control.text === "" || control.text.length > 40) return;
    const others = elements.filter((_, other) => other !== at && controls[other].text === control.text);
    if (others.length === 0 || others.length >= MAX_SAME) return;
    let part = elements[at];
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const parent = part.parentElement;
      if (!parent || others.some((other) => parent.contains(other))) break;
      part = parent;
    }
    control.row = visibleTextOf(part, 200);
  });
  return controls;
};
