import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

/** Something that a button opens and closes. Escape closes it and leads back to the button; so does going to a page. */
export function useDisclosure() {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes whenever the address changes
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
