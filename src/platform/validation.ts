/** What zod says of a member that is not there, or is another than it should be: callers look for different mistakes. */
export function orMissing(otherwise: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? "is missing" : otherwise),
  };
}
