import { Button } from "./button.tsx";
import { useToast } from "./toasts.tsx";

/**
 * Button that copies `text` to the clipboard. `what` names the text in the label and the toast: "the address". `icon` is for
 * use within a line of text, `button` for use on its own.
 */
export function CopyButton({
  text,
  what,
  look = "icon",
}: {
  readonly text: string;
  readonly what: string;
  readonly look?: "icon" | "button";
}) {
  const toast = useToast();
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied ${what}.`);
    } catch {
      toast(`This browser did not allow copying ${what}. Select and copy it manually.`, "bad");
    }
  }
  if (look === "button") {
    return (
      <Button size="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        Copy
      </Button>
    );
  }
  return (
    <button
      type="button"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
      className="inline-flex size-6 items-center justify-center rounded text-muted hover:bg-soft hover:text-ink"
    >
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
        className="size-3.5"
      >
        <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" strokeLinejoin="round" />
      </svg>
    </button>
  );
}
