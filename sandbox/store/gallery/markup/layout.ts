import { html, type SafeHtml } from "../../../mail/html.ts";
import { MARKETS } from "../markets.ts";
import type { View } from "../shape.ts";

/** Markup that is not escaped. */
export function raw(markup: string): SafeHtml {
  return { safeHtml: markup };
}

/** A classic script. */
export function script(code: string): SafeHtml {
  return raw(`<script>${code}</script>`);
}

/** A module script, which runs after the document is parsed. */
export function moduleScript(code: string): SafeHtml {
  return raw(`<script type="module">${code}</script>`);
}

/** A page of the merchant. */
export function layout(view: View, title: string, content: SafeHtml): string {
  const { standardMinor, expressMinor } = MARKETS[view.market];
  const sumsWith = (deliveryMinor: number) => ({
    delivery: view.money(deliveryMinor),
    total: view.money(view.totalMinor - view.deliveryMinor + deliveryMinor),
  });
  const sums = { standard: sumsWith(standardMinor), express: sumsWith(expressMinor) };
  const settings = { processor: view.processor.url, orderId: view.order.id, sums };
  const language = { DE: "de", FR: "fr" }[view.market as string] ?? "en";
  return html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
  <link rel="icon" href="data:,"><link rel="stylesheet" href="/gallery.css">
  ${raw(`<script id="gallery-settings" type="application/json">${JSON.stringify(settings)}</script>`)}
  <script src="/gallery.js"></script>
</head>
<body>
  <header><a href="/">Mug store</a></header>
  <main>
    ${view.notice === null ? "" : html`<div class="notice" role="alert">${view.notice}</div>`}
    ${content}
  </main>
</body>
</html>`.safeHtml;
}

/** A form that posts to the page's own path. */
export function form(content: SafeHtml | readonly SafeHtml[], attributes = ""): SafeHtml {
  return html`<form method="post" ${raw(attributes)}>${content}</form>`;
}

export function button(text: string, attributes = ""): SafeHtml {
  return html`<p><button type="submit" ${raw(attributes)}>${text}</button></p>`;
}

export function section(title: string, ...content: SafeHtml[]): SafeHtml {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

/** A button whose press runs `code` once at a time. `gallery` is the pages' shared script. */
export function payButton(text: string, code: string): SafeHtml {
  return html`<p><button type="button" id="pay">${text}</button></p>${onPress("#pay", code)}`;
}

/** Runs `code` when the element is pressed, or the form is submitted. */
export function onPress(selector: string, code: string): SafeHtml {
  return script(`gallery.onPress(${JSON.stringify(selector)}, async () => {${code}});`);
}
