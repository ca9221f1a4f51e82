/** Style sheet of `/docs`, with light and dark colours. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1c1b19; --muted: #6b675f; --line: #e4e0d8; --leather: #9a4f1e; --soft: #f4e6da; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161513; --ink: #f2efe9; --muted: #a8a297; --line: #2e2b27; --leather: #e0955a; --soft: #2a1f17; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, header, footer { max-width: 72ch; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
footer { padding: 32px 20px 64px; color: var(--muted); font-size: 13px; }
.mark { width: 32px; height: 32px; color: var(--leather); }
h1, h2, h3 { font-family: ui-serif, Georgia, "Times New Roman", serif; font-weight: 600; line-height: 1.25; }
h1 { font-size: 32px; margin: 8px 0 4px; }
h2 { font-size: 24px; margin: 56px 0 4px; padding-top: 24px; border-top: 1px solid var(--line); }
h3 { font-size: 18px; margin: 40px 0 4px; }
h4, summary { font-size: 15px; font-weight: 700; margin: 24px 0 8px; }
summary { cursor: pointer; width: fit-content; }
p { margin: 8px 0; }
a { color: var(--leather); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--leather); outline-offset: 3px; }
code, pre, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
code { background: var(--soft); padding: 1px 5px; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 14px 16px; border-radius: 6px; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.path { font-size: 15px; color: var(--muted); overflow-wrap: anywhere; }
.up { font-size: 13px; }
.method { color: var(--leather); font-weight: 700; margin-right: 10px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: left; color: var(--muted); font-weight: 500; }
th, td { padding: 8px 14px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
@media (min-width: 601px) {
  td:first-child code { white-space: nowrap; }
}
td.figure { font-variant-numeric: tabular-nums; }
nav h3 { margin: 32px 0 8px; }
nav h3 a { color: inherit; text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
nav li { border-bottom: 1px solid var(--line); }
nav li a { display: grid; grid-template-columns: 30ch 1fr; gap: 2px 16px; padding: 10px 0; text-decoration: none; color: inherit; }
nav li span { min-width: 0; overflow-wrap: anywhere; }
nav a:hover, nav a:hover span:last-child { color: var(--leather); }
@media (max-width: 600px) {
  /* Stacked cells: three columns would break long names. */
  thead { position: absolute; clip-path: inset(50%); }
  tbody, tr, td { display: block; }
  tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  td { padding: 2px 0; border: 0; }
  nav li a { grid-template-columns: 1fr; }
}
`.trim();
