import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import type { InputMessage, Party } from "./live-messages.ts";

const PAGES = {
  merchant: "the merchant’s page",
  processor: "the card processor’s page",
  issuer: "the bank’s page",
  unknown: "the page",
} as const satisfies Record<Party, string>;

/**
 * Text input for users who cannot type into the image, for example on a phone or with a screen reader. The text goes to
 * the focused field of the remote page.
 */
export function TypeIntoPage({
  party,
  send,
}: {
  /** Operator of the page or frame that receives the text. */
  readonly party: Party;
  readonly send: (word: InputMessage) => void;
}) {
  const [text, setText] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (text !== "") send({ type: "text", text });
    else press("Enter")();
    setText("");
  }
  const press = (key: string) => () => {
    send({ type: "key", event: "down", key });
    send({ type: "key", event: "up", key });
  };
  return (
    <form onSubmit={submit} className="mt-3 grid max-w-md gap-2">
      <TextField
        label={`Text for ${PAGES[party]}`}
        hint={`The field for the code is selected. To use another one, tap it on ${PAGES[party]}.`}
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
