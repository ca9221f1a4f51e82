// Runs in a merchant's document, which is untrusted, and reads its visible content. Evaluates to { view, elements }; the
// `index` of fields and controls in the view is their position in `elements`. The arguments are the other files of this
// folder.
(createDom, readFields, readControls, readTotals) => {
  const MAX_TEXT = 12_000;
  const dom = createDom();
  const { clean, query, closest, isShown, textOf, visibleTextOf } = dom;
  const elements = [];
  const addElement = (element) => elements.push(element) - 1;
  const forms = query("form");
  const fields = readFields(dom, addElement, forms);
  const controls = readControls(dom, addElement, forms);

  const texts = (selector, maxCount, length) =>
    query(selector)
      .filter((element) => isShown(element, true))
      .map((element) => textOf(element, length))
      .filter((text) => text !== "")
      .slice(0, maxCount);
  const frames = query("iframe")
    .slice(0, 50)
    .map((frame) => {
      const box = frame.getBoundingClientRect();
      return {
        src: clean(frame.src, 500),
        title: clean(`${frame.title} ${frame.name} ${frame.id}`, 200),
        isShown: isShown(frame),
        isBadge: closest(frame, ".grecaptcha-badge") !== null,
        width: Math.round(box.width),
        height: Math.round(box.height),
        overlay: dom.overlayOf(frame),
      };
    });
  // An overlay without controls cannot be closed and is of no interest.
  const overlays = dom.overlays.slice(0, 50).map(({ element, isDialog }) => {
    const box = element.getBoundingClientRect();
    return {
      index: addElement(element),
      isDialog,
      text: visibleTextOf(element, 1_500),
      marks: clean(`${element.id} ${element.className} ${element.getAttribute("aria-label") ?? ""}`, 300),
      area: Math.round((100 * box.width * box.height) / Math.max(1, innerWidth * innerHeight)),
    };
  });

  const view = {
    title: clean(document.title, 200),
    isComplete: document.readyState === "complete",
    text: dom.documentText(MAX_TEXT),
    headings: texts("h1, h2", 20, 200),
    alerts: texts(
      '[role=alert], [aria-live=assertive], .error, .errors, .alert, [class*="error" i], [class*="notice" i]',
      20,
      300,
    ),
    totals: readTotals(dom),
    fields,
    controls,
    frames,
    overlays,
  };
  return { view, elements };
};
