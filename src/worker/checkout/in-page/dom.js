// Reads elements and texts of a document and its open shadow roots. Runs in a merchant's document, which is untrusted.
() => {
  const clean = (text, maxLength) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, maxLength);

  /** All elements in the order of the document; the content of a shadow root precedes the host's own children. */
  const everything = [];
  const shadowRoots = [];
  function collect(root) {
    for (const element of root.children) {
      everything.push(element);
      if (element.shadowRoot) {
        shadowRoots.push(element.shadowRoot);
        collect(element.shadowRoot);
      }
      collect(element);
    }
  }
  collect(document);

  const query = (selector) => everything.filter((element) => element.matches(selector));
  const parentOf = (element) =>
    element.assignedSlot ?? element.parentElement ?? (element.getRootNode().host ? element.getRootNode().host : null);
  function closest(element, selector) {
    for (let at = element; at; at = parentOf(at)) if (at.matches(selector)) return at;
    return null;
  }
  function contains(outer, inner) {
    for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  }
  /** Resolves an id within the tree of an element, which may be a shadow root. */
  const elementById = (id, near) => near.getRootNode().getElementById?.(id) ?? document.getElementById(id);
  const elementsByIds = (ids, near) =>
    (ids ?? "")
      .split(/\s+/)
      .map((id) => (id ? elementById(id, near) : null))
      .filter((element) => element !== null);

  function isShown(element, isTransparentAllowed = false) {
    if (
      !element.isConnected ||
      !element.checkVisibility?.({ visibilityProperty: true, opacityProperty: !isTransparentAllowed })
    )
      return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  }

  const SKIPPED = /^(?:select|script|style|noscript|template|textarea|datalist|s|del|strike)$/;
  const isStruck = (element) =>
    SKIPPED.test(element.localName) || /line-through/.test(getComputedStyle(element).textDecorationLine);

  /** Appends the texts below a node, in the order in which they are rendered. */
  function addTexts(node, parts, limit) {
    if (parts.length > limit) return;
    if (node.nodeType === Node.TEXT_NODE) {
      parts.push(node.data);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || isStruck(node)) return;
    const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
    const children = node.shadowRoot?.childNodes ?? (slotted.length > 0 ? slotted : node.childNodes);
    for (const child of children) addTexts(child, parts, limit);
  }
  /** Text of an element, without form controls and struck-through text. */
  function textOf(element, maxLength = 300) {
    if (!element) return "";
    for (let at = element.nodeType === Node.TEXT_NODE ? element.parentElement : element; at; at = parentOf(at))
      if (isStruck(at)) return "";
    const parts = [];
    addTexts(element, parts, 2_000);
    return clean(parts.join(" "), maxLength);
  }
  const textOfIds = (ids, near, except = null) =>
    clean(
      elementsByIds(ids, near)
        .filter((element) => element !== except)
        .map((element) => textOf(element))
        .join(" "),
      300,
    );

  /** Visible text of an element, with that of the slots and shadow roots in it. */
  function visibleTextOf(element, maxLength) {
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not be read.
    const own = clean(element.innerText, maxLength);
    const isHidden = own === "" && (element.shadowRoot || element.querySelector("slot"));
    // The mask over card numbers may cover the text of a control beside them.
    return isHidden || /^[\s•]*•[\s•]*$/.test(own) ? textOf(element, maxLength) : own;
  }
  /** Alternative texts of the images in an element, which name it if it has no text. */
  const imageTextOf = (element, maxLength) =>
    clean(
      [...element.querySelectorAll("img[alt], svg[aria-label], [role=img][aria-label], svg > title")]
        .map((image) => image.getAttribute("alt") ?? image.getAttribute("aria-label") ?? image.textContent)
        .join(" ") || element.getAttribute("title"),
      maxLength,
    );
  /** Visible text of the document with its shadow roots. */
  function documentText(maxLength) {
    const parts = [document.body, ...shadowRoots.flatMap((root) => [...root.children])].map(
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not be read.
      (element) => (element && !/^(?:style|script)$/.test(element.localName) ? (element.innerText ?? "") : ""),
    );
    return clean(parts.join(" "), maxLength);
  }

  // Dialogs and boxes that stay in place while the page scrolls, the innermost around an element.
  const OVERLAY = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";
  const overlays = [];
  const overlayIndexes = new Map();
  function overlayOf(element) {
    const passed = [];
    let index = -1;
    for (let at = element; at && at !== document.body && at !== document.documentElement; at = parentOf(at)) {
      const known = overlayIndexes.get(at);
      if (known !== undefined) {
        index = known;
        break;
      }
      passed.push(at);
      const isDialog = at.matches(OVERLAY);
      if (isDialog || /^(?:fixed|sticky)$/.test(getComputedStyle(at).position)) {
        index = overlays.push({ element: at, isDialog }) - 1;
        break;
      }
    }
    for (const one of passed) overlayIndexes.set(one, index);
    return index;
  }

  return {
    ...{ clean, query, parentOf, closest, contains, elementById, elementsByIds, isShown, shadowRoots },
    ...{ textOf, textOfIds, visibleTextOf, imageTextOf, documentText, overlays, overlayOf, isStruck },
  };
};
