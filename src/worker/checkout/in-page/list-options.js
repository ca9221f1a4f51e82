// Returns the visible options of an open list: { options, elements }. Runs in a merchant's document, which is untrusted.
(trigger) => {
  const MAX_OPTIONS = 1_000;
  const roots = [];
  function collect(root) {
    roots.push(root);
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) collect(element.shadowRoot);
  }
  collect(document);
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().height > 0;
  const query = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter(isShown);
  const ids = `${trigger.getAttribute("aria-controls") ?? ""} ${trigger.getAttribute("aria-owns") ?? ""}`.split(/\s+/);
  const popups = ids
    .map((id) => (id ? (trigger.getRootNode().getElementById?.(id) ?? document.getElementById(id)) : null))
    .filter((element) => element !== null);
  const isInPopup = (element) => popups.some((popup) => popup.contains(element));
  const all = query("[role=option], [role=menuitemradio], [role=menuitem]").filter((option) => option !== trigger);
  const controlled = all.filter(isInPopup);
  const around = trigger.parentElement?.parentElement ?? trigger.parentElement ?? trigger;
  // Widgets without roles list their options near the trigger.
  const plain =
    all.length > 0
      ? []
      : query("li, [data-value], [class*=option]").filter(
          (item) => around.contains(item) && item !== trigger && !item.querySelector("li, [data-value]"),
        );
  const elements = (controlled.length > 0 ? controlled : all.length > 0 ? all : plain).slice(0, MAX_OPTIONS);
  const options = elements.map((element) => ({
    text: (element.textContent || element.textContent || "").replace(/\s+/g, " ").trim().slice(0, 100),
    value: (element.dataset.value ?? element.getAttribute("value") ?? "").slice(0, 100),
    disabled: element.getAttribute("aria-disabled") === "true",
  }));
  return { options, elements };
};
