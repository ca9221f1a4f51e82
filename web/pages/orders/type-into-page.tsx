import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import type { InputWord } from "./live-words.ts";

/** The keyboard for who has none on the picture: a phone, a screen reader. It goes to the field that has the cursor there. */
export function TypeIntoPage({ send }: { readonly send: (word: InputWord) => void }) {
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
        label="Type into the bank’s page"
        hint="First tap the field there, then type it here."
        autoComplete="one-time-code"
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
        aside={<Button type="submit">Type it</Button>}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={press("Enter")}>
          Enter
        </Button>
        <Button size="small" onClick={press("Backspace")}>
          Erase
        </Button>
        <Button size="small" onClick={press("Tab")}>
          Next field
        </Button>
      </div>
    </form>
  );
}
