// Runs in a merchant's document, which is untrusted, and reads its visible content. Evaluates to { view, elements }; the
// `index` of fields and controls in the view is their position in `elements`.
(() => {
  const MAX_TEXT = 12_000;
  const MAX_FIELDS = 400;
  const MAX_CONTROLS = 400;
  const TOTAL =
    /\b(?:grand[ -]total|order total|total|amount (?:due|to pay|payable)|to pay|balance due|due today|gesamt(?:summe|betrag|preis)?|zu zahlen|endbetrag|montant|importe total|totale|totaal|te betalen|att betala|summa)\b|合計|お支払い/i;
  const NOT_A_TOTAL =
    /sub[ -]?tot|zwischen|sous|parcial|parziale|saving|spar|discount|rabatt|remise|\btax|vat\b|mwst|items?\b|articles?\b|artikel|points|小計|per\b/i;
  /** Notes that a total may contain: the included tax and the number of items. */
  const NOTES =
    /\b(?:in[ck]l?\w*|with|mit)\b.*?(?:\btax(?:es)?\b|\bvat\b|mwst)\.?|(?:\btax(?:es)?|\bvat|\bmwst)\b.*?(?:\bin[ck]l\w*|enthalten)|\d+ (?:items?|articles?|artikel)\b/gi;
  const SIGN = String.raw`\p{Sc}|円|元|zł|Kč|\b(?:Ft|lei|kr|Fr|[A-Z]{3})\b`;
  const MONEY = new RegExp(String.raw`(?:${SIGN})[\s.]*\d|\d\s*(?:${SIGN})|\d[.,]\d\d(?!\d)`, "u");
  const SIGN_WORDS = /\b(?:Ft|lei|kr|Fr|[A-Z]{1,3})\b|円|元|zł|Kč/gu;
  const MAX_ROW_LENGTH = 200;
  const MAX_ROWS = 200;

  const clean = (text, maxLength) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, maxLength);
  const containsWords = (text) => /\p{L}/u.test(text.replace(SIGN_WORDS, ""));
  const isPrice = (text) => /\d/.test(text) && !containsWords(text);

  function isShown(element, isChoice) {
    if (!element.isConnected || !element.checkVisibility?.({ visibilityProperty: true, opacityProperty: !isChoice })) {
      return false;
    }
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  }
  // Merchants hide radio buttons behind styled labels.
  const isChoiceShown = (element) =>
    isShown(element, true) || [...(element.labels ?? [])].some((it) => isShown(it, true));
  const isChoice = ({ type }) => type === "radio" || type === "checkbox";

  /** Visible text of an element, without form controls and struck-through text. */
  function textOf(element, maxLength = 300) {
    if (!element) return "";
    const parts = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const first = element.nodeType === Node.TEXT_NODE ? element : walker.nextNode();
    for (let node = first; node; node = walker.nextNode()) {
      if (node.parentElement?.closest("select, script, style, noscript, template, textarea, datalist, s, del, strike"))
        continue;
      parts.push(node.data);
    }
    return clean(parts.join(" "), maxLength);
  }
  const textOfIds = (ids) =>
    (ids ?? "")
      .split(/\s+/)
      .map((id) => (id ? textOf(document.getElementById(id)) : ""))
      .join(" ");

  function labelOf(field) {
    const labels = [...(field.labels ?? [])].map((label) => textOf(label)).join(" ");
    const ownLabel = clean(
      [field.getAttribute("aria-label"), textOfIds(field.getAttribute("aria-labelledby")), labels].join(" "),
      300,
    );
    if (ownLabel) return ownLabel;
    // Without a label, the preceding text serves as one.
    for (let at = field, up = 0; at && up < 3; at = at.parentElement, up += 1) {
      for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
        if (before.querySelector("input, select, textarea") || before.matches("input, select, textarea")) return "";
        const text = textOf(before, 120);
        if (text) return text;
      }
    }
    return clean(field.getAttribute("title"), 120);
  }
  function groupOf(field) {
    const names = [];
    for (let at = field.parentElement; at && at !== document.body && names.length < 3; at = at.parentElement) {
      if (at.matches("fieldset")) names.push(textOf(at.querySelector(":scope > legend"), 120));
      else if (at.matches("[role=group], [role=radiogroup], section, [aria-labelledby]")) {
        const heading = at.querySelector(":scope > h1, :scope > h2, :scope > h3, :scope > h4");
        names.push(
          clean(at.getAttribute("aria-label"), 120) ||
            clean(textOfIds(at.getAttribute("aria-labelledby")), 120) ||
            textOf(heading, 120),
        );
      }
    }
    return names.filter((name) => name !== "").join(" / ");
  }
  const descriptionOf = (field) =>
    field.getAttribute("aria-describedby") ? textOfIds(field.getAttribute("aria-describedby")) : "";

  const elements = [];
  const addElement = (element) => elements.push(element) - 1;
  const forms = [...document.forms];

  const fields = [];
  for (const field of document.querySelectorAll("input, select, textarea")) {
    const type = field.localName === "input" ? field.type : field.localName;
    if (/^(?:hidden|submit|button|image|reset|file)$/.test(type) || fields.length >= MAX_FIELDS) continue;
    const shown = isChoice(field)
      ? isChoiceShown(field)
      : isShown(field, false) && !field.closest('[aria-hidden="true"]');
    if (!shown) continue;
    const own = labelOf(field);
    fields.push({
      index: addElement(field),
      type,
      autocomplete: clean(field.getAttribute("autocomplete"), 100).toLowerCase(),
      name: clean(field.name, 100),
      id: clean(field.id, 100),
      label: own,
      placeholder: clean(field.placeholder ?? field.getAttribute("data-placeholder"), 100),
      described: clean(descriptionOf(field), 200),
      group: groupOf(field),
      inputMode: field.inputMode ?? "",
      maxLength: field.maxLength > 0 ? field.maxLength : null,
      // Values that look like a card number are not read.
      value: /\d(?:[ -]?\d){11}/.test(field.value) || type === "password" ? null : clean(field.value, 300),
      isEmpty: field.value === "",
      checked: isChoice(field) && field.checked,
      required: field.required || field.getAttribute("aria-required") === "true",
      disabled: field.disabled || field.readOnly === true,
      invalid: field.getAttribute("aria-invalid") === "true",
      form: forms.indexOf(field.form),
      options:
        field.localName === "select"
          ? [...field.options].slice(0, 400).map((option) => ({
              value: clean(option.value, 100),
              text: clean(option.label || option.text, 100),
              disabled: option.disabled,
            }))
          : [],
    });
  }

  const controls = [];
  for (const control of document.querySelectorAll(
    "button, input[type=submit], input[type=button], input[type=image], a[href], [role=button]",
  )) {
    if (controls.length >= MAX_CONTROLS) break;
    if (!isShown(control, false)) continue;
    const text = clean(
      [
        control.getAttribute("aria-label") ?? "",
        // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not be read.
        control.localName === "input" ? control.value || control.alt : control.innerText,
      ].join(" "),
      120,
    );
    const form = control.form ?? null;
    const isSubmit = form !== null && /^(?:submit|image)$/.test(control.type);
    controls.push({
      index: addElement(control),
      tag: control.localName,
      text,
      name: clean(control.getAttribute("name"), 100),
      id: clean(control.id, 100),
      href: control.localName === "a" ? control.href.slice(0, 2_000) : null,
      disabled: control.disabled === true || control.getAttribute("aria-disabled") === "true",
      isSubmit,
      form: forms.indexOf(form),
      // The form's action, although a script may send the request to another address.
      posts:
        isSubmit && form.getAttribute("action") && form.method === "post"
          ? new URL(form.getAttribute("action"), document.baseURI).href
          : null,
    });
  }

  /** Returns one text per row with a total, including all amounts in the row. */
  function totalRows() {
    const rows = [];
    const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && rows.length < MAX_ROWS; node = walker.nextNode()) {
      const labelText = clean(node.data, 2 * MAX_ROW_LENGTH);
      const place = node.parentElement;
      if (
        !TOTAL.test(labelText) ||
        NOT_A_TOTAL.test(labelText.replace(NOTES, "")) ||
        !place ||
        place.closest("thead, option, script, style, noscript, a")
      )
        continue;
      if (!isShown(place, true)) continue;
      const row = rowFrom(node);
      if (row !== "") rows.push(row);
    }
    return rows;
  }

  /** Returns the text from a total's label to the end of its row. The row may contain further amounts before the total. */
  function rowFrom(label) {
    const marked = textOf(label.parentElement.closest("tr, [role=row]"), 4 * MAX_ROW_LENGTH);
    if (marked.length <= 2 * MAX_ROW_LENGTH && MONEY.test(marked)) return marked;
    let row = "";
    for (let at = label, up = 0; at && at !== document.body && up < 5; at = at.parentElement, up += 1) {
      const own = textOf(at, 2 * MAX_ROW_LENGTH);
      if (own.length > MAX_ROW_LENGTH) break;
      const siblingTexts = siblingTextsOf(at, MONEY.test(own));
      const last = siblingTexts.findLastIndex(isPrice);
      if (last >= 0) row = [own, ...siblingTexts.slice(0, last + 1)].join(" ");
      else if (row === "" && MONEY.test(own)) row = own;
      else if (row === "" && siblingTexts.some((text) => MONEY.test(text))) row = [own, ...siblingTexts].join(" ");
      // A preceding sibling with an amount means that the parent contains other rows too.
      for (let before = at.previousSibling; before; before = before.previousSibling) {
        if (MONEY.test(textOf(before, 2 * MAX_ROW_LENGTH))) return row;
      }
    }
    return row;
  }

  /** Returns the texts of following siblings up to the label of the next row. */
  function siblingTextsOf(at, isPriced) {
    const siblingTexts = [];
    let hasMoney = isPriced;
    for (let next = at.nextSibling; next; next = next.nextSibling) {
      const text = textOf(next, 2 * MAX_ROW_LENGTH);
      if (text === "") continue;
      const isMoney = MONEY.test(text);
      if (text.length > MAX_ROW_LENGTH || next.localName === "dt" || (hasMoney && !isMoney && containsWords(text)))
        break;
      hasMoney ||= isMoney;
      siblingTexts.push(text);
    }
    return siblingTexts;
  }

  const texts = (selector, maxLength, length) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => isShown(element, true))
      .map((element) => textOf(element, length))
      .filter((text) => text !== "")
      .slice(0, maxLength);
  const frames = [...document.querySelectorAll("iframe")].slice(0, 50).map((frame) => {
    const box = frame.getBoundingClientRect();
    return {
      src: clean(frame.src, 500),
      title: clean(`${frame.title} ${frame.name} ${frame.id}`, 200),
      isShown: isShown(frame, false),
      isBadge: frame.closest(".grecaptcha-badge") !== null,
      width: Math.round(box.width),
      height: Math.round(box.height),
    };
  });

  const view = {
    title: clean(document.title, 200),
    isComplete: document.readyState === "complete",
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not be read.
    text: clean(document.body?.innerText, MAX_TEXT),
    headings: texts("h1, h2", 20, 200),
    alerts: texts(
      '[role=alert], [aria-live=assertive], .error, .errors, .alert, [class*="error" i], [class*="notice" i]',
      20,
      300,
    ),
    totals: totalRows(),
    fields,
    controls,
    frames,
  };
  return { view, elements };
})();
