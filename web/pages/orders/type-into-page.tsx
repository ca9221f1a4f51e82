import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import type { InputMessage } from "./live-messages.ts";

/**
 * Text input for users who cannot type into the image, for example on a phone or with a screen reader. The text goes to
 * the focused field of the remote page.
 */
export function TypeIntoPage({ send }: { readonly send: (word: InputMessage) => void }) {
  const [text, setText] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (text !== "") send({ type: "text", text });
    setText("");
  }
  const press = (key: string) => () => {
    send({ type: "key", event: "down", key });
    send({ type: "key", event: "up", key });
  };
  return (
    <form onSubmit={submit} className="mt-3 grid max-w-md gap-2">
      <TextField
        label="Text for the bank’s page"
        hint="Tap the field on the bank’s page first."
        autoComplete="one-time-code"
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
        aside={<Button type="submit">Send</Button>}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={press("Enter")}>
          Enter
        </Button>
        <Button size="small" onClick={press("Backspace")}>
          Backspace
        </Button>
        <Button size="small" onClick={press("Tab")}>
          Next field
        </Button>
      </div>
    </form>
  );
}
