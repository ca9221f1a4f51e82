/** The two pages of the OAuth dialect: a refusal for a person, and a window that answers to the one that opened it. */
import { html, toText } from "../docs/html.ts";

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The one script is a file of ours. */
const OPENER_POLICY = `${PAGE_POLICY}; script-src 'self'`;

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Says why nothing was sent anywhere. Everything in it is escaped. */
export function refusalPage(text: string): Page {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: this request cannot go on</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>This request cannot go on</h1>
<p>${text}</p>
<p>Nothing was allowed, and nothing was sent to the application. Go back to it and start again, or tell its makers what is written here.</p>
</main>
</body>
</html>`;
  return pageOf(toText(page), PAGE_POLICY);
}

/** Hands the answer in `url` to the opener, and only to a page of the redirect URI's origin; without an opener it goes there itself. */
export function openerPage(url: string): Page {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: back to the application</title>
<link rel="stylesheet" href="/docs/style.css">
<script src="/oauth/opener.js" defer></script>
</head>
<body>
<main>
<h1>Back to the application</h1>
<p>This window closes by itself. If it does not, <a id="back" href="${url}">go back to the application</a>.</p>
</main>
</body>
</html>`;
  return pageOf(toText(page), OPENER_POLICY);
}

/** `/oauth/opener.js`. The link holds the answer, so that it works without this script too. */
export const OPENER_SCRIPT = `"use strict";
const { href } = document.getElementById("back");
const { origin, searchParams } = new URL(href);
if (window.opener) {
  const response = {};
  for (const name of ["code", "state", "iss", "error", "error_description"]) {
    const value = searchParams.getAll(name).at(-1);
    if (value !== undefined) response[name] = value;
  }
  window.opener.postMessage({ type: "authorization_response", response }, origin);
  window.close();
} else {
  window.location.replace(href);
}
`;

function pageOf(text: string, policy: string): Page {
  return {
    headers: { "content-security-policy": policy, "content-type": "text/html; charset=utf-8" },
    text,
  };
}
