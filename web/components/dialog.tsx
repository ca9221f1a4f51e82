import * as Radix from "@radix-ui/react-dialog";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/**
 * A dialog over the page; Escape and the close button leave it. Radix' own overlay is left out: it locks the page with an
 * inline style sheet, which the content security policy refuses; `style.css` locks it instead.
 */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  mayDismiss = true,
  role = "dialog",
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** False where leaving by accident would lose something. */
  readonly mayDismiss?: boolean;
  readonly role?: "dialog" | "alertdialog";
  readonly children: ReactNode;
}) {
  const refuse = (event: Event) => event.preventDefault();
  const guard = mayDismiss ? {} : { onEscapeKeyDown: refuse, onInteractOutside: refuse };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      {isOpen && (
        <Radix.Portal>
          <div aria-hidden="true" className="fixed inset-0 z-20 bg-veil" />
          <Content
            {...guard}
            {...(description ? {} : { "aria-describedby": undefined })}
            role={role}
            aria-modal="true"
            className="fixed inset-x-0 bottom-0 z-30 max-h-[92dvh] overflow-y-auto rounded-t-xl border border-line bg-paper p-5 shadow-float outline-none sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[min(32rem,calc(100vw-2.5rem))] sm:-translate-1/2 sm:rounded-xl sm:p-6"
          >
            <Radix.Title className="font-serif text-title font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
            <div className="mt-4">{children}</div>
          </Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}

/** Gives the keyboard back its place: Radix does so for its own triggers alone, and there is none here. */
function Content(props: ComponentProps<typeof Radix.Content>) {
  const [before] = useState(() => document.activeElement);
  function giveBack(event: Event) {
    event.preventDefault();
    // One dialog may follow another, or stand on it.
    const open = document.querySelector("[aria-modal]");
    if (open && !open.contains(before)) return;
    const isThere = before?.isConnected && before !== document.body;
    const place = isThere ? before : document.getElementById("main");
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  }
  return <Radix.Content {...props} onCloseAutoFocus={giveBack} />;
}

/** Buttons at a dialog's or form's end: the safe one first, as large as the other. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:flex-1">{children}</div>;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  description,
  confirmText,
  isOpen,
  isBusy,
  onClose,
  onConfirm,
  children,
}: {
  readonly title: string;
  readonly description: ReactNode;
  /** Names what will be done: "Revoke the token". */
  readonly confirmText: string;
  readonly isOpen: boolean;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <Dialog title={title} description={description} isOpen={isOpen} onClose={onClose} role="alertdialog">
      {children}
      <Actions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
          {confirmText}
        </Button>
      </Actions>
    </Dialog>
  );
}
