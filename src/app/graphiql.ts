/** The GraphiQL page, which loads no external resources. */

/** Raises the contrast of GraphiQL's light colours, which do not meet WCAG 2, 1.4.1 and 1.4.3. */
const STYLE = `<style>
  .graphiql-container, .graphiql-dialog, [data-radix-popper-content-wrapper] {
    --alpha-secondary: 0.9; --alpha-tertiary: 0.85; --color-info: 208, 100%, 38%; --color-warning: 36, 100%, 29%;
  }
  .graphiql-container a { text-decoration: underline; }
</style>`;

/** Renders the page. The import is lazy, because the editor has 9 MB. */
export async function renderGraphiql(options: object = {}): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL(options).replace("</head>", `${STYLE}</head>`);
}
