/** Groups of routes on `/docs`: their entries in the index and their sections. */
import { type Html, html, prose } from "./html.ts";

export interface Entry {
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Content below the description. */
  readonly details: readonly (Html | null)[];
}

export interface Group {
  readonly id: string;
  readonly title: string;
  /** Text that applies to all routes of the group. */
  readonly introduction: string | null;
  readonly entries: readonly Entry[];
}

export function renderIndex(groups: readonly Group[]): Html {
  return html`<nav aria-labelledby="index"><h2 id="index">Routes</h2>${groups.map(
    ({ id, title, entries }) =>
      html`<h3><a href="#${id}">${title}</a></h3><ul>${entries.map(
        (entry) => html`<li><a href="#${entry.anchor}">${renderAddress(entry)}<span>${entry.summary}</span></a></li>`,
      )}</ul>`,
  )}</nav>`;
}

export function renderGroup({ id, title, introduction, entries }: Group): Html {
  return html`
<h2 id="${id}">${title}</h2>
${introduction === null ? null : html`<p>${prose(introduction)}</p>`}
${entries.map(renderSection)}`;
}

function renderSection(entry: Entry): Html {
  return html`
<section aria-labelledby="${entry.anchor}">
<h3 id="${entry.anchor}">${entry.summary}</h3>
<p>${renderAddress(entry)}</p>
<p>${prose(entry.description)}</p>
${entry.details.filter((part) => part !== null)}
<p class="up"><a href="#index">Back to the index</a></p>
</section>`;
}

function renderAddress({ method, path }: Entry): Html {
  return html`<span class="path"><span class="method">${method}</span>${path}</span>`;
}
