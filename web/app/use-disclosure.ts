import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

/** State of an element that a button opens and closes. Escape closes it and focuses the button. Navigation closes it. */
export function useDisclosure() {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the path changes
  useEffect(() => setIsOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setIsOpen(false);
      button.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOpen]);
  return { isOpen, setIsOpen, button };
}
