/** Redirect URIs that clients may register dynamically. */

/** Redirect URIs of MCP hosts, with reports that name them. VS Code and Cursor also use loopback redirects. */
const KNOWN: readonly RegExp[] = [
  // Claude: RevenueCat/ai-toolkit#58.
  /^https:\/\/claude\.(?:ai|com)\/api\/mcp\/auth_callback$/,
  // ChatGPT, one per app, and its former one: makeplane/plane-mcp-server#165.
  /^https:\/\/chatgpt\.com\/connector\/oauth\/[\w-]{1,100}$/,
  /^https:\/\/chatgpt\.com\/connector_platform_oauth_redirect$/,
  // VS Code: zeptonow/mcp#39, modelcontextprotocol/servers#2444.
  /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect$/,
  // Cursor: cartesia-ai/cartesia-mcp#73.
  /^https:\/\/www\.cursor\.com\/agents\/mcp\/oauth\/callback$/,
];

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

/** Returns true for a redirect URI of a known host, or one on the user's device. */
export function isKnownRedirect(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri) || KNOWN.some((known) => known.test(redirectUri));
}
