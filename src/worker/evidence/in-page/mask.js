// Runs in every document, which is a stranger's, before its own scripts: a function of { mark, shopOrigins }. With `shopOrigins`
// null it looks once at what stands there; else it masks what is there and what comes, before it is painted.
({ mark, shopOrigins }) => {
  const RUN = /(?:\d[\s\u00a0\u2000-\u200b\u2010-\u2015\u202f._-]{0,3}){13,}/g;
  const MOST_AROUND = 2_000;
  const MOST_UP = 4;

  /** ISO/IEC 7812-1, annex B. */
  function passes(digits) {
    let sum = 0;
    for (let at = 0; at < digits.length; at += 1) {
      const digit = Number(digits[digits.length - 1 - at]);
      const doubled = at % 2 === 1 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 === 0;
  }

  /** By itself, or with other digits beside it: of the usual lengths then, or one in ten of all would pass by chance. */
  function isNumber(text) {
    for (const [run] of text.matchAll(RUN)) {
      const digits = run.replace(/\D/g, "");
      if (digits.length > 19 || passes(digits)) return true;
      for (let start = 0; start + 15 <= digits.length; start += 1) {
        if (!/[2-6]/.test(digits[start])) continue;
        if ([15, 16].some((length) => start + length <= digits.length && passes(digits.slice(start, start + length)))) {
          return true;
        }
      }
    }
    return false;
  }

  /** A number may be divided among elements: looked for in those around it, as long as they say little else. */
  function lookAtText(text) {
    if (!/\d/.test(text.nodeValue ?? "")) return;
    for (let at = text.parentElement, up = 0; at && up < MOST_UP; at = at.parentElement, up += 1) {
      const around = at.textContent ?? "";
      if (up > 0 && around.length > MOST_AROUND) return;
      if (isNumber(around)) {
        at.setAttribute(mark, "");
        return;
      }
    }
  }

  function lookAtField(field) {
    if (typeof field.value === "string" && isNumber(field.value)) field.setAttribute(mark, "");
  }

  function look(node) {
    if (node.nodeType === Node.TEXT_NODE) return lookAtText(node);
    if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return;
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) lookAtText(text);
    const elements = [...node.querySelectorAll("*")];
    if (node.nodeType === Node.ELEMENT_NODE) elements.push(node);
    for (const element of elements) {
      if (element.shadowRoot) found(element.shadowRoot);
      lookAtField(element);
    }
  }

  const found = (root) => (shopOrigins === null ? lookWhole(root) : watch(root));
  const lookWhole = (root) => {
    for (const node of root.childNodes) look(node);
  };
  if (shopOrigins === null) return lookWhole(document);

  const dots = "{-webkit-text-security:disc!important}";
  const isShops = shopOrigins.includes(self.origin) && (self === top || location.ancestorOrigins[0] === self.origin);
  const fields = isShops ? '[autocomplete*="cc-" i]' : 'input,textarea,[contenteditable],[autocomplete*="cc-" i]';
  // Made by a script, it is none that a content security policy speaks of.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${fields}${dots}[${mark}],[${mark}] *${dots}`);
  const adopt = (root) => {
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };

  // Told before what changed is painted.
  const observer = new MutationObserver((changes) => {
    adopt(document);
    const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]));
    // What came within something that came is looked at with it.
    for (const node of added) if (!added.has(node.parentNode)) look(node);
    for (const { type, target } of changes) {
      if (type === "characterData") lookAtText(target);
      else if (type === "attributes") lookAtField(target);
    }
  });
  const watched = new WeakSet();
  function watch(root) {
    adopt(root);
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { childList: true, characterData: true, subtree: true, attributeFilter: ["value"] });
    lookWhole(root);
  }
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };
  watch(document);
  const lookAtTyped = ({ target }) => lookAtField(target);
  addEventListener("input", lookAtTyped, true);
  addEventListener("change", lookAtTyped, true);
};
