/** The two pages of the OAuth dialect: an error page, and a pop-up page that posts the response to its opener. */
import { html, toText } from "../docs/html.ts";

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Allows scripts of the same origin only: the page loads `/oauth/opener.js`. */
const OPENER_POLICY = `${PAGE_POLICY}; script-src 'self'`;

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Renders the reason why the browser was not redirected. The text is escaped. */
export function renderErrorPage(text: string): Page {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: authorization request failed</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>Authorization request failed</h1>
<p>${text}</p>
<p>No access was granted, and nothing was sent to the application. Go back to the application and start again. If the problem persists, send this message to its developer.</p>
</main>
</body>
</html>`;
  return createPage(toText(page), PAGE_POLICY);
}

/**
 * Renders the pop-up page. It posts the response in `url` to its opener, restricted to the origin of the redirect URI.
 * Without an opener it navigates to `url`.
 */
export function renderOpenerPage(url: string): Page {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: returning to the application</title>
<link rel="stylesheet" href="/docs/style.css">
<script src="/oauth/opener.js" defer></script>
</head>
<body>
<main>
<h1>Returning to the application</h1>
<p>This window closes automatically. If it does not, <a id="back" href="${url}">return to the application</a>.</p>
</main>
</body>
</html>`;
  return createPage(toText(page), OPENER_POLICY);
}

/** Source of `/oauth/opener.js`. It reads the response from the link, which also works without the script. */
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

function createPage(text: string, policy: string): Page {
  return {
    headers: { "content-security-policy": policy, "content-type": "text/html; charset=utf-8" },
    text,
  };
}
