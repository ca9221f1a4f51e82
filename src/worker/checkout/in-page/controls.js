// Reads the clickable elements of a document. Runs in a merchant's document, which is untrusted.
(dom, addElement, forms) => {
  const { clean, query, closest, isShown, visibleTextOf, overlayOf } = dom;
  const MAX_CONTROLS = 400;
  const CONTROL = [
    ...["button", "input[type=submit]", "input[type=button]", "input[type=image]", "a[href]", "[role=button]"],
    ...["a[onclick]", "a:not([href])[class]", "summary"],
    ...['[tabindex="0"][class*="button" i]', '[tabindex="0"][class*="btn" i]'],
  ].join(", ");

  const controls = [];
  const elements = [];
  for (const control of query(CONTROL)) {
    if (controls.length >= MAX_CONTROLS) break;
    if (!isShown(control) || control.matches("[role=combobox], [role=radio], [role=checkbox], [role=switch]")) continue;
    // The inner element of a component is the one to click.
    if (control.shadowRoot?.querySelector("button, a[href]")) continue;
    const text = clean(
      [
        control.getAttribute("aria-label") ?? "",
        control.localName === "input" ? control.value || control.alt : visibleTextOf(control, 120),
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
