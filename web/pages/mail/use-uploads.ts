import { useState } from "react";
import type { Failure } from "../../graphql/match-result.ts";

/** An uploaded file that an email can attach. */
export interface Upload {
  readonly attachmentId: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

const NO_RESPONSE: Failure = {
  code: "UNREACHABLE",
  message: "The file was not uploaded because Satchel did not respond. Check your connection and retry.",
};

/** Manages the attachments of an email form. Each file is uploaded unchanged as soon as it is chosen. */
export function useUploads(first: readonly Upload[] = []) {
  const [files, setFiles] = useState<readonly Upload[]>(first);
  const [pendingCount, setPendingCount] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function add(chosen: readonly File[]) {
    setFailure(null);
    setPendingCount((count) => count + chosen.length);
    for (const file of chosen) {
      const uploaded = await upload(file).catch(() => NO_RESPONSE);
      if ("attachmentId" in uploaded) setFiles((all) => [...all, uploaded]);
      else setFailure(uploaded);
      setPendingCount((count) => count - 1);
    }
  }
  const remove = (attachmentId: string) => setFiles((all) => all.filter((file) => file.attachmentId !== attachmentId));
  const reset = (next: readonly Upload[] = []) => setFiles(next);
  return { files, isUploading: pendingCount > 0, failure, add, remove, reset };
}

async function upload(file: File): Promise<Upload | Failure> {
  const query = new URLSearchParams({ filename: file.name, ...(file.type ? { contentType: file.type } : {}) });
  const response = await fetch(`/api/agent/email/attachments?${query}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  });
  const { id, filename, size, error, message } = (await response.json()) as Record<string, string> & { size: number };
  if (!response.ok) return { code: error?.toUpperCase() ?? "INTERNAL_ERROR", message: message ?? NO_RESPONSE.message };
  return { attachmentId: id ?? "", filename: filename ?? file.name, sizeBytes: size };
}
