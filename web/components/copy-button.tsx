import { Button } from "./button.tsx";
import { useToast } from "./toasts.tsx";

/** Copies a text whole. `what` names it for whoever cannot see it: "the address". */
export function CopyButton({
  text,
  what,
  look = "quiet",
}: {
  readonly text: string;
  readonly what: string;
  readonly look?: "quiet" | "plain";
}) {
  const toast = useToast();
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied ${what}.`);
    } catch {
      toast(`This browser did not let ${what} be copied. Select it and copy it by hand.`, "bad");
    }
  }
  return (
    <Button look={look} size="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      Copy
    </Button>
  );
}
