/** What the router hands to a page. */
export interface PageProps {
  /** The named parts of the address. */
  readonly params: Readonly<Record<string, string>>;
}
