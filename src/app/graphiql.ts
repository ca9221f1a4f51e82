/** GraphiQL's page, which needs no network. */

/** Some of its colours are too faint to be read by everybody (WCAG 2, 1.4.1 and 1.4.3); those of the dark are not touched. */
const STYLE = `<style>
  .graphiql-container, .graphiql-dialog, [data-radix-popper-content-wrapper] {
    --alpha-secondary: 0.9; --alpha-tertiary: 0.85; --color-info: 208, 100%, 38%; --color-warning: 36, 100%, 29%;
  }
  .graphiql-container a { text-decoration: underline; }
</style>`;

/** 9 MB of editor, read only when somebody opens it. */
export async function renderGraphiql(options: object = {}): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL(options).replace("</head>", `${STYLE}</head>`);
}
