/** What `/docs` is made of: groups of routes, once as an index and once in full. */
import { type Html, html, prose } from "./html.ts";

export interface Entry {
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** What stands below the description. */
  readonly details: readonly (Html | null)[];
}

export interface Group {
  readonly id: string;
  readonly title: string;
  /** What holds for all of its routes. */
  readonly introduction: string | null;
  readonly entries: readonly Entry[];
}

export function index(groups: readonly Group[]): Html {
  return html`<nav aria-labelledby="index"><h2 id="index">Routes</h2>${groups.map(
    ({ id, title, entries }) =>
      html`<h3><a href="#${id}">${title}</a></h3><ul>${entries.map(
        (entry) => html`<li><a href="#${entry.anchor}">${address(entry)}<span>${entry.summary}</span></a></li>`,
      )}</ul>`,
  )}</nav>`;
}

export function inFull({ id, title, introduction, entries }: Group): Html {
  return html`
<h2 id="${id}">${title}</h2>
${introduction === null ? null : html`<p>${prose(introduction)}</p>`}
${entries.map(section)}`;
}

function section(entry: Entry): Html {
  return html`
<section aria-labelledby="${entry.anchor}">
<h3 id="${entry.anchor}">${entry.summary}</h3>
<p>${address(entry)}</p>
<p>${prose(entry.description)}</p>
${entry.details.filter((part) => part !== null)}
<p class="up"><a href="#index">Back to the index</a></p>
</section>`;
}

function address({ method, path }: Entry): Html {
  return html`<span class="path"><span class="method">${method}</span>${path}</span>`;
}
