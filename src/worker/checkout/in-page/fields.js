// Reads the visible fields of a document. Runs in a merchant's document, which is untrusted.
(dom, addElement, forms) => {
  const { clean, query, parentOf, closest, contains, elementsByIds, isShown, textOf, textOfIds } = dom;
  const MAX_FIELDS = 400;
  const MAX_OPTIONS = 400;
  const MIN_SELECT_SIZE = 5;
  const COMBOBOX =
    '[role=combobox], button[aria-haspopup="listbox"], [aria-autocomplete=list], [aria-autocomplete=both]';
  const NATIVE = "input, select, textarea";
  const UNCHOSEN =
    /^(?:[-–—.…\s]*$|choose|select|please|pick|bitte|wähle|auswähl|auswahl|choisi|sélect|veuillez|selecc|elige|selezion|scegli|kies|selecteer|maak een|wybierz|vyberte|välj|vælg|velg|valitse|選択|请选择|선택)/i;
  const isTypedNative = (element) => /^(?:input|textarea)$/.test(element.localName);
  const isChoice = ({ type }) => type === "radio" || type === "checkbox";
  // Merchants hide radio buttons behind styled labels.
  const isChoiceShown = (element) =>
    isShown(element, true) || [...(element.labels ?? [])].some((label) => isShown(label, true));

  /** Hosts of the shadow roots around an element, innermost first. Components repeat attributes of their fields there. */
  function hostsOf(element) {
    const hosts = [];
    for (let root = element.getRootNode(); root.host && hosts.length < 3; root = root.host.getRootNode())
      hosts.push(root.host);
    return hosts;
  }
  const attributeOf = (element, name) =>
    [element, ...hostsOf(element)].map((at) => at.getAttribute(name)).find((value) => value) ?? "";

  /** Themes often add the asterisk of a required field by style. */
  const hasAsterisk = (element) =>
    ["::after", "::before"].some((pseudo) => getComputedStyle(element, pseudo).content.includes("*"));
  function labelsOf(element) {
    const ids = element.id ? [...element.getRootNode().querySelectorAll(`label[for="${CSS.escape(element.id)}"]`)] : [];
    return [...new Set([...(element.labels ?? []), ...ids])];
  }
  function ownLabelOf(field) {
    for (const at of [field, ...hostsOf(field)]) {
      const labels = labelsOf(at);
      const parts = [
        at.getAttribute("aria-label"),
        textOfIds(at.getAttribute("aria-labelledby"), at, at),
        ...labels.map((label) => textOf(label) || dom.imageTextOf(label, 120)),
        at === field ? "" : at.getAttribute("label"),
        labels.some(hasAsterisk) ? "*" : "",
      ];
      const label = clean([...new Set(parts)].join(" "), 300);
      if (label !== "" && label !== "*") return label;
    }
    return "";
  }
  /** The text before a field without a label. A heading names its section, not the field. */
  function nearbyOf(field) {
    for (let at = field, up = 0; at && up < 3; at = parentOf(at), up += 1) {
      for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
        if (before.matches(NATIVE) || before.querySelector(NATIVE)) return "";
        if (before.matches("h1, h2, h3, legend, script, style")) return "";
        const text = textOf(before, 120);
        if (text) return text + (hasAsterisk(before) && !text.includes("*") ? " *" : "");
      }
    }
    return clean(field.getAttribute("title"), 120);
  }
  /** The text after a checkbox or radio button without a label, or after a field whose label element has no target. */
  function followingOf(field) {
    const parts = [];
    for (let next = field.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === Node.ELEMENT_NODE && (next.matches(NATIVE) || next.querySelector(NATIVE))) break;
      const text = textOf(next, 300);
      if (text !== "") parts.push(text);
    }
    if (parts.length > 0) return clean(parts.join(" "), 300);
    // The row of a table or list, if it has no other field.
    for (let around = field.parentElement, up = 0; around && up < 4; around = around.parentElement, up += 1) {
      if (around.matches("form, fieldset, body") || around.querySelectorAll(NATIVE).length !== 1) return "";
      const text = textOf(around, 300) || dom.imageTextOf(around, 300);
      if (text !== "") return text;
    }
    return "";
  }
  function groupOf(field) {
    const names = [];
    for (let at = parentOf(field); at && at !== document.body && names.length < 3; at = parentOf(at)) {
      if (at.matches("fieldset")) names.push(textOf(at.querySelector(":scope > legend"), 120));
      else if (at.matches("[role=group], [role=radiogroup], section, [aria-labelledby]")) {
        const heading = at.querySelector(":scope > h1, :scope > h2, :scope > h3, :scope > h4");
        names.push(
          clean(at.getAttribute("aria-label"), 120) ||
            textOfIds(at.getAttribute("aria-labelledby"), at).slice(0, 120) ||
            textOf(heading, 120),
        );
      }
    }
    return names.filter((name) => name !== "").join(" / ");
  }

  const optionsIn = (element) => query("[role=option]").filter((option) => contains(element, option));
  const toOption = (option) => ({
    value: clean(option.dataset.value ?? option.getAttribute("value") ?? textOf(option, 100), 100),
    text: textOf(option, 100),
    disabled: option.getAttribute("aria-disabled") === "true",
  });
  /** Listboxes of a combobox, which may not exist before it is opened. */
  const popupsOf = (box) =>
    elementsByIds(`${box.getAttribute("aria-controls") ?? ""} ${box.getAttribute("aria-owns") ?? ""}`, box);

  const TRIGGERS = '[role=combobox], [aria-haspopup], button, [tabindex]:not([tabindex="-1"]), a, input';
  /** The widget that replaces a hidden select: its clickable element, and everything that belongs to it. */
  function widgetOf(select) {
    const around = closest(parentOf(select) ?? select, '[role=combobox], [aria-haspopup="listbox"]');
    if (around && isShown(around)) return { trigger: around, element: around };
    for (const at of [select, select.parentElement]) {
      for (const sibling of [at?.nextElementSibling, at?.previousElementSibling]) {
        if (!sibling || !isShown(sibling) || sibling.matches("label, p, small, legend, h1, h2, h3")) continue;
        const trigger = sibling.matches(TRIGGERS)
          ? sibling
          : [...sibling.querySelectorAll(TRIGGERS)].find((one) => isShown(one));
        const other =
          sibling.matches(NATIVE) || [...sibling.querySelectorAll("select, input[name]")].some((one) => isShown(one));
        if (trigger && !other) return { trigger, element: sibling };
      }
      if (at?.parentElement && [...at.parentElement.querySelectorAll("select")].length > 1) break;
    }
    return null;
  }

  const validityOf = (field) => {
    if (!field.willValidate || field.validity.valid) return "";
    const flags = ["valueMissing", "typeMismatch", "patternMismatch", "tooLong", "tooShort", "rangeUnderflow"];
    const flag = [...flags, "rangeOverflow", "stepMismatch", "badInput", "customError"].find(
      (one) => field.validity[one],
    );
    return field.form?.noValidate && flag !== "valueMissing" ? "" : (flag ?? "");
  };
  const isRequired = (field) =>
    field.required === true ||
    field.getAttribute("aria-required") === "true" ||
    hostsOf(field).some((host) => host.hasAttribute("required") || host.getAttribute("aria-required") === "true");

  const describe = (field) => ({
    index: addElement(field),
    type: "text",
    autocomplete: clean(attributeOf(field, "autocomplete"), 100).toLowerCase(),
    name: clean(field.name || attributeOf(field, "name") || field.dataset.name, 100),
    id: clean(field.id || hostsOf(field)[0]?.id, 100),
    label: ownLabelOf(field),
    nearby: "",
    placeholder: clean(
      field.placeholder || attributeOf(field, "placeholder") || attributeOf(field, "data-placeholder"),
      100,
    ),
    described: textOfIds(field.getAttribute("aria-describedby"), field).slice(0, 200),
    group: groupOf(field),
    inputMode: field.inputMode ?? "",
    maxLength: field.maxLength > 0 ? field.maxLength : null,
    minLength: field.minLength > 0 ? field.minLength : null,
    pattern: clean(field.pattern, 300),
    min: clean(field.min, 40),
    max: clean(field.max, 40),
    validity: validityOf(field),
    value: null,
    isEmpty: false,
    checked: false,
    required: isRequired(field),
    disabled: field.disabled === true || field.getAttribute("aria-disabled") === "true",
    invalid: field.getAttribute("aria-invalid") === "true",
    form: forms.indexOf(field.form ?? closest(field, "form")),
    overlay: dom.overlayOf(field),
    widget: null,
    isCombobox: field.matches(COMBOBOX),
    shown: "",
    options: [],
  });
  function withNearby(field, read) {
    if (read.label !== "") return read;
    if (isChoice(field)) return { ...read, label: followingOf(field) };
    const next = field.nextElementSibling;
    const after = next?.localName === "label" && !next.htmlFor ? textOf(next, 120) : "";
    return { ...read, nearby: after || nearbyOf(field) };
  }

  const widgets = [];
  function readSelect(select) {
    const { width, height } = select.getBoundingClientRect();
    // Widgets leave the select on the page, as a point.
    const isPoint = Math.min(width, height) < MIN_SELECT_SIZE;
    const isVisible = isShown(select) && !isPoint && !closest(select, '[aria-hidden="true"]');
    const widget = isVisible ? null : widgetOf(select);
    if (!isVisible && !widget) return null;
    const nativeOptions = [...select.options].slice(0, MAX_OPTIONS).map((option) => ({
      value: clean(option.value, 100),
      text: clean(option.label || option.text, 100),
      disabled: option.disabled,
    }));
    const listed = widget ? optionsIn(widget.element).slice(0, MAX_OPTIONS).map(toOption) : [];
    const read = withNearby(select, describe(select));
    if (widget) widgets.push(widget.element);
    return {
      ...read,
      type: "select",
      value: clean(select.value, 300),
      isEmpty: select.value === "",
      widget: widget ? addElement(widget.trigger) : null,
      shown: widget ? textOf(widget.trigger, 200) : "",
      options: listed.length > nativeOptions.length ? listed : nativeOptions,
    };
  }

  /** Combobox without a text input, or with one that cannot be typed in. */
  function readCombobox(box) {
    const popups = popupsOf(box);
    const options = [...new Set([...popups.flatMap(optionsIn), ...optionsIn(box)])];
    const chosen = options.find((option) => option.getAttribute("aria-selected") === "true");
    const value = clean(isTypedNative(box) ? box.value : textOf(box, 300), 300);
    const texts = options.map((option) => textOf(option, 100));
    const hidden = box.parentElement?.querySelector(":scope > input[type=hidden][name]");
    return {
      ...withNearby(box, describe(box)),
      type: "combobox",
      name: clean(box.getAttribute("name") ?? box.dataset.name ?? hidden?.name, 100),
      value,
      isEmpty: value === "" || UNCHOSEN.test(value) || (!chosen && texts.length > 0 && !texts.includes(value)),
      isCombobox: true,
      options: options.slice(0, MAX_OPTIONS).map(toOption),
    };
  }

  /** Radio button or checkbox of a component library. */
  function readRole(element) {
    const role = element.getAttribute("role");
    const group = closest(element, "[role=radiogroup]");
    const read = describe(element);
    return {
      ...read,
      type: role === "radio" ? "radio" : "checkbox",
      name: read.name || clean(group?.id || group?.getAttribute("aria-label") || read.group, 100),
      label: read.label || textOf(element, 300),
      value: null,
      checked: element.getAttribute("aria-checked") === "true",
      required: read.required || group?.getAttribute("aria-required") === "true",
    };
  }

  function readNative(field) {
    const type = field.type ?? "text";
    const shown = isChoice(field) ? isChoiceShown(field) : isShown(field) && !closest(field, '[aria-hidden="true"]');
    if (!shown) return null;
    if (field.readOnly && field.matches(COMBOBOX)) return readCombobox(field);
    // Values that look like a card number are not read.
    const isSecret = (/\d(?:[ -]?\d){11}/.test(field.value) && !field.value.startsWith("+")) || type === "password";
    const read = withNearby(field, describe(field));
    const popups = read.isCombobox ? popupsOf(field) : [];
    const beside = read.isCombobox ? shownNear(field) : "";
    const label = (read.label || read.nearby).replace(/[\s*:]+$/, "");
    // Searchable lists without a name of their own show the choice beside their input.
    const isChosen = beside !== "" && read.name === "" && !UNCHOSEN.test(beside) && !beside.startsWith(label || beside);
    return {
      ...read,
      type: field.localName === "textarea" ? "textarea" : type,
      value: isSecret ? null : clean(field.value, 300),
      isEmpty: field.value === "" && !isChosen,
      checked: isChoice(field) && field.checked,
      disabled: read.disabled || field.readOnly === true,
      shown: beside,
      options: popups.flatMap(optionsIn).slice(0, MAX_OPTIONS).map(toOption),
    };
  }
  /** The chosen text beside the input of a searchable list, which empties its input after the choice. */
  function shownNear(field) {
    for (let at = field.parentElement, up = 0; at && up < 3; at = at.parentElement, up += 1) {
      const text = textOf(at, 200);
      if (text !== "") return text.length < 100 ? text : "";
    }
    return "";
  }

  const reads = new Map();
  const add = (element, read) => {
    if (read && reads.size < MAX_FIELDS) reads.set(element, read);
  };
  // Widgets are known before the inputs in them, which are no fields of their own.
  for (const select of query("select")) add(select, readSelect(select));
  const isInWidget = (element) => widgets.some((widget) => contains(widget, element));
  for (const field of query("input, textarea")) {
    if (/^(?:hidden|submit|button|image|reset|file)$/.test(field.type) || isInWidget(field)) continue;
    add(field, readNative(field));
  }
  for (const box of query(COMBOBOX)) {
    if (box.matches(NATIVE) || isInWidget(box) || box.querySelector("input, select, textarea") || !isShown(box))
      continue;
    add(box, readCombobox(box));
  }
  for (const element of query("[role=radio], [role=checkbox], [role=switch]")) {
    if (element.matches(NATIVE) || element.querySelector("input") || !isShown(element)) continue;
    add(element, readRole(element));
  }
  const order = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
  const elements = [...reads.keys()];
  // Elements of different trees have no order between them, so they stay as they were found.
  const isOneTree = elements.every((element) => element.getRootNode() === document);
  return (isOneTree ? elements.sort(order) : elements).map((element) => reads.get(element));
};
