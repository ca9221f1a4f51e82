import { type GraphQLError, Lexer, Source, TokenKind } from "graphql";
import { limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Returns an error if the document has too many tokens, or brackets nested too deeply for recursive functions such as the
 * parser. Ends at a token that is not valid, which the parser reports.
 */
export function checkTokens(
  query: string,
  { maxTokens, maxNesting }: Pick<GraphqlLimits, "maxTokens" | "maxNesting">,
): GraphQLError | null {
  const lexer = new Lexer(new Source(query));
  let nesting = 0;
  try {
    for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; ) {
      if (++tokens > maxTokens) return limitError("tokens", null, maxTokens);
      if (CLOSING.has(lexer.token.kind)) nesting--;
      if (OPENING.has(lexer.token.kind) && ++nesting > maxNesting) {
        return limitError("levels of brackets", null, maxNesting);
      }
    }
  } catch {
    return null;
  }
  return null;
}
