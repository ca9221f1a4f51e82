/** Props that the router passes to a page. */
export interface PageProps {
  /** Path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
}
