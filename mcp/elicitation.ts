import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from "@modelcontextprotocol/server";

interface Capabilities {
  readonly elicitation?: { readonly url?: object; readonly form?: object };
}

/**
 * Returns the modes of elicitation that the client declared with this request. Before revision 2026-07-28 requests declare nothing. A
 * capability without a mode means forms.
 */
export function readElicitation({ mcpReq }: ServerContext): { readonly hasUrls: boolean; readonly hasForms: boolean } {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, Capabilities | undefined>>;
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const hasUrls = elicitation?.url !== undefined;
  return { hasUrls, hasForms: elicitation !== undefined && (elicitation.form !== undefined || !hasUrls) };
}
