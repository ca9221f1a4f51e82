import { html, linkUrls, type SafeHtml } from "./html.ts";
import type { Message, MessageSummary } from "./mailbox.ts";

/** Satchel's mark. */
const MARK = html`<svg class="mark" viewBox="0 0 16 16" width="24" height="24" aria-hidden="true"><path d="M2 5h12v8.5H2zM2 5l6 5 6-5"/><path class="clasp" d="M8 8.5v3"/></svg>`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#9a4f1e" stroke-width="1.5"><path d="M2 5h12v8.5H2zM2 5l6 5 6-5M8 8.5v3"/></svg>',
)}`;

/** Renders the list of messages. @param to recipient filter; empty for all */
export function renderListPage(messages: readonly MessageSummary[], to: string): string {
  const rows = messages.map(
    ({ id, receivedAt, from, envelope, subject }) => html`
        <tr>
          <td class="subject"><a id="message-${id}" href="/message/${id}">${subject || "(no subject)"}</a></td>
          <td>${from || envelope.from}</td>
          <td>${envelope.to.join(", ")}</td>
          <td>${renderTime(receivedAt)}</td>
        </tr>`,
  );
  const none = html`<p class="none">${to ? `No messages to ${to}.` : "No messages yet. Emails sent through the sandbox's mail server appear here."}</p>`;
  const table = html`<table>
        <thead><tr><th scope="col">Subject</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Received</th></tr></thead>
        <tbody>${rows}
        </tbody>
      </table>`;
  return renderPage(
    "Mail",
    html`<form role="search">
      <label for="to">Recipient</label>
      <input id="to" name="to" type="email" value="${to}" placeholder="ada@example.com" autocomplete="off">
      <button>Filter</button>${to ? html` <a href="/">Show all</a>` : ""}
    </form>
    <p id="news" role="status"></p>
    <div id="messages">
      ${messages.length > 0 ? table : none}
    </div>
    <script src="/live.js" defer></script>`,
  );
}

/** Renders one message: its text, and its HTML part in a sandboxed frame. */
export function renderMessagePage({
  id,
  subject,
  from,
  envelope,
  receivedAt,
  text,
  html: part,
  attachments,
}: Message): string {
  const frame = html`<h2>HTML part</h2>
    <p class="hint">Scripts and remote content are blocked.</p>
    <iframe sandbox="" src="/message/${id}/html" title="HTML part of this message"></iframe>`;
  const attached = html`<h2>Attachments</h2>
    <ul>${attachments.map((one) => html`<li>${one.filename ?? "(no name)"}, ${one.contentType}, ${one.sizeBytes} bytes</li>`)}</ul>`;
  return renderPage(
    subject || "(no subject)",
    html`<p><a href="/">All messages</a></p>
    <dl>
      <dt>From</dt><dd>${from || envelope.from || "(empty sender: bounce)"}</dd>
      <dt>To</dt><dd>${envelope.to.join(", ")}</dd>
      <dt>Received</dt><dd>${renderTime(receivedAt)}</dd>
    </dl>
    <pre class="text">${linkUrls(text)}</pre>
    ${part === null ? "" : frame}
    ${attachments.length > 0 ? attached : ""}
    <p><a href="/messages/${id}/raw" download>Source</a></p>`,
  );
}

function renderPage(title: string, content: SafeHtml): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Satchel's sandbox</title>
    <link rel="stylesheet" href="/page.css">
    <link rel="icon" href="${ICON}">
  </head>
  <body>
    <header>${MARK}<p>Satchel's sandbox</p></header>
    <main>
    <h1>${title}</h1>
    ${content}
    </main>
  </body>
</html>
`.safeHtml;
}

function renderTime(iso: string): SafeHtml {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}
