import { useCallback, useEffect, useState } from "react";
import type { Failure } from "../../graphql/match-result.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";
const UNAVAILABLE: Failure = { code: "INTERNAL_ERROR", message: "The URL of the MCP server is unavailable." };

/**
 * Reads the URL of the MCP server from its metadata (RFC 9728). OAuth clients compare their URL with this one, and that of the
 * pages differs from it on a loopback address.
 */
export function useServerUrl() {
  const [url, setUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const read = useCallback(async () => {
    setFailure(null);
    try {
      const response = await fetch(METADATA_PATH);
      const { resource } = (await response.json()) as { resource: string };
      setUrl(new URL(resource).href);
    } catch {
      setFailure(UNAVAILABLE);
    }
  }, []);
  useEffect(() => void read(), [read]);
  return { url, failure, again: () => void read() };
}
