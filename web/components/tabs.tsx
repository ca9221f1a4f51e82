import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

/** Tabs with the keyboard of the ARIA pattern: arrow keys, Home and End select, and Tab moves to the panel. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly name: string }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Content of the selected tab. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const buttons = useRef(new Map<Id, HTMLButtonElement>());
  const index = tabs.findIndex((tab) => tab.id === selected);
  function move(event: KeyboardEvent) {
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs.at(target % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    buttons.current.get(tab.id)?.focus();
  }
  return (
    <>
      <div role="tablist" aria-label={label} onKeyDown={move} className="flex flex-wrap gap-x-4 border-b border-line">
        {tabs.map((tab) => (
          <button
            key={tab.id}
            ref={(button) => {
              if (button) buttons.current.set(tab.id, button);
              else buttons.current.delete(tab.id);
            }}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            className="border-b-2 border-transparent py-2 text-small whitespace-nowrap text-muted hover:text-leather aria-selected:border-leather aria-selected:font-medium aria-selected:text-leather"
          >
            {tab.name}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the ARIA pattern of tabs */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} tabIndex={0} className="mt-4">
        {children}
      </div>
    </>
  );
}
