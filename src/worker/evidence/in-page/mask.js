// Runs in every document before its own scripts; the document is untrusted. A function of { mark, merchantOrigins }.
// With `merchantOrigins` null it scans the current content once. Otherwise it masks current and later content before paint.
({ mark, merchantOrigins }) => {
  const RUN = /(?:\d[\s\u00a0\u2000-\u200b\u2010-\u2015\u202f._-]{0,3}){13,}/g;
  const MAX_CONTEXT_LENGTH = 2_000;
  const MAX_ANCESTORS = 4;

  /** Luhn check (ISO/IEC 7812-1, annex B). */
  function passesLuhn(digits) {
    let sum = 0;
    for (let at = 0; at < digits.length; at += 1) {
      const digit = Number(digits[digits.length - 1 - at]);
      const doubled = at % 2 === 1 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 === 0;
  }

  /**
   * Matches a run of digits that passes the check or is longer than 19 digits. Within a run only 15 or 16 digits count;
   * with more lengths one run in ten would match by chance.
   */
  function containsCardNumber(text) {
    for (const [run] of text.matchAll(RUN)) {
      const digits = run.replace(/\D/g, "");
      if (digits.length > 19 || passesLuhn(digits)) return true;
      for (let start = 0; start + 15 <= digits.length; start += 1) {
        if (!/[2-6]/.test(digits[start])) continue;
        if (
          [15, 16].some((length) => start + length <= digits.length && passesLuhn(digits.slice(start, start + length)))
        ) {
          return true;
        }
      }
    }
    return false;
  }

  /** Texts that are no part of the text around them. The years of an expiry date would otherwise read as one long number. */
  const SEPARATE = "option, script, style, noscript, template";

  /** Text of an element without those that it contains but does not show as one. */
  function continuousText(element) {
    if (!element.querySelector(SEPARATE)) return element.textContent ?? "";
    const parts = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (!text.parentElement?.closest(SEPARATE)) parts.push(text.nodeValue);
    return parts.join("");
  }

  /** Scans the surrounding elements as well, because a number may be split across several. Stops at elements with much text. */
  function maskText(text) {
    if (!/\d/.test(text.nodeValue ?? "")) return;
    const separate = text.parentElement?.closest(SEPARATE) ?? null;
    if (separate !== null) {
      if (separate.matches("option") && containsCardNumber(separate.textContent ?? ""))
        (separate.closest("select") ?? separate).setAttribute(mark, "");
      return;
    }
    for (let at = text.parentElement, up = 0; at && up < MAX_ANCESTORS; at = at.parentElement, up += 1) {
      const around = continuousText(at);
      if (up > 0 && around.length > MAX_CONTEXT_LENGTH) return;
      if (containsCardNumber(around)) {
        at.setAttribute(mark, "");
        return;
      }
    }
  }

  function maskFieldValue(field) {
    if (typeof field.value === "string" && containsCardNumber(field.value)) field.setAttribute(mark, "");
  }

  function maskNode(node) {
    if (node.nodeType === Node.TEXT_NODE) return maskText(node);
    if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return;
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) maskText(text);
    const elements = [...node.querySelectorAll("*")];
    if (node.nodeType === Node.ELEMENT_NODE) elements.push(node);
    for (const element of elements) {
      if (element.shadowRoot) onRoot(element.shadowRoot);
      maskFieldValue(element);
    }
  }

  const onRoot = (root) => (merchantOrigins === null ? maskTree(root) : watch(root));
  const maskTree = (root) => {
    for (const node of root.childNodes) maskNode(node);
  };
  if (merchantOrigins === null) return maskTree(document);

  const dots = "{-webkit-text-security:disc!important}";
  const isMerchantPage =
    merchantOrigins.includes(self.origin) && (self === top || location.ancestorOrigins[0] === self.origin);
  const fields = isMerchantPage
    ? '[autocomplete*="cc-" i]'
    : 'input,textarea,[contenteditable],[autocomplete*="cc-" i]';
  // A constructed style sheet is not subject to the content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${fields}${dots}[${mark}],[${mark}] *${dots}`);
  const adopt = (root) => {
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };

  // A mutation observer runs before the change is painted.
  const observer = new MutationObserver((changes) => {
    adopt(document);
    const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]));
    // A node inside another added node is scanned together with it.
    for (const node of added) if (!added.has(node.parentNode)) maskNode(node);
    for (const { type, target } of changes) {
      if (type === "characterData") maskText(target);
      else if (type === "attributes") maskFieldValue(target);
    }
  });
  const watched = new WeakSet();
  function watch(root) {
    adopt(root);
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { childList: true, characterData: true, subtree: true, attributeFilter: ["value"] });
    maskTree(root);
  }
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };
  watch(document);
  const onInput = ({ target }) => maskFieldValue(target);
  addEventListener("input", onInput, true);
  addEventListener("change", onInput, true);
};
