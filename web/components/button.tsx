import type { ComponentProps } from "react";

type Look = "primary" | "plain" | "danger" | "quiet";

const LOOKS: Readonly<Record<Look, string>> = {
  primary: "border-leather bg-leather text-paper hover:brightness-110",
  plain: "border-muted bg-paper text-ink hover:bg-soft",
  danger: "border-bad bg-paper text-bad hover:bg-soft",
  quiet: "border-transparent bg-transparent text-leather underline-offset-3 hover:underline",
};

export interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: Look;
  /** Whether the action is in progress. Clicks are then ignored. */
  readonly isBusy?: boolean | undefined;
}

/** Returns the classes of a button, also for links that look like one. */
export const buttonClass = (look: Look = "plain", size: "small" | "body" = "body") =>
  `inline-flex items-center justify-center gap-2 rounded-md border text-center font-medium motion-safe:transition-colors disabled:opacity-60 ${
    size === "small" ? "min-h-8 text-small" : "min-h-11"
  } ${look === "quiet" ? "px-0" : size === "small" ? "px-3" : "px-4"} ${LOOKS[look]}`;

/** `small` is for table rows and beside titles. */
export function Button({
  look = "plain",
  size = "body",
  isBusy = false,
  className = "",
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps & { readonly size?: "small" | "body" }) {
  return (
    <button
      {...rest}
      type={type}
      // A `disabled` button would lose keyboard focus.
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(look, size)} ${isBusy ? "cursor-progress opacity-70" : ""} ${className}`}
    >
      {children}
    </button>
  );
}
