import * as Radix from "@radix-ui/react-dialog";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/**
 * Modal dialog. Escape and a click outside close it. It does not use Radix's overlay, which locks scrolling with an inline
 * style sheet that the content security policy blocks. `style.css` locks scrolling instead.
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
  /** False if closing by accident would lose data, such as a secret shown once. */
  readonly mayDismiss?: boolean;
  readonly role?: "dialog" | "alertdialog";
  readonly children: ReactNode;
}) {
  const preventDefault = (event: Event) => event.preventDefault();
  const guard = mayDismiss ? {} : { onEscapeKeyDown: preventDefault, onInteractOutside: preventDefault };
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

/** Dialog content that restores focus on close. Radix does this only for its own triggers, which are not used here. */
function Content(props: ComponentProps<typeof Radix.Content>) {
  const [previousFocus] = useState(() => document.activeElement);
  function restoreFocus(event: Event) {
    event.preventDefault();
    // Another dialog may have replaced this one or still be open below it.
    const open = document.querySelector("[aria-modal]");
    if (open && !open.contains(previousFocus)) return;
    const isConnected = previousFocus?.isConnected && previousFocus !== document.body;
    const target = isConnected ? previousFocus : document.getElementById("main");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
  return <Radix.Content {...props} onCloseAutoFocus={restoreFocus} />;
}

/** Buttons at the end of a dialog or form, all the same size. Put the safe action first. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:flex-1">{children}</div>;
}

/** Confirmation of an action that cannot be undone. */
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
  /** Names the action: "Revoke token". */
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
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
          {confirmText}
        </Button>
      </Actions>
    </Dialog>
  );
}
