import type { MailWarningCode } from "../incoming/incoming-message.ts";

const MESSAGES: Readonly<Record<MailWarningCode, string>> = {
  several_authors:
    "The message has several From fields, which is forbidden. Programs show different senders, so do not trust any of them.",
  hidden_text: "The message contains text that a person does not see. It is in the hidden text, not in the body.",
  plain_text_differs:
    "The plain text says what the HTML does not show. The body is the text of the HTML, the difference is in the hidden text.",
  invisible_characters: "Invisible characters or text in reversed order were removed from the body.",
  html_not_checked: "The HTML is too long to check for hidden text. The body is empty; read the original message.",
  covered_text: "An element of the HTML may be displayed over the text, so a person may not see all of the body.",
  unsupported_content:
    "The HTML shows scripts, frames, media, form fields or generated text, which the body lacks. Known text of these is in the hidden text.",
};

/** Returns the warning as a sentence for users and models. */
export function describeWarning(code: MailWarningCode): string {
  return MESSAGES[code];
}
