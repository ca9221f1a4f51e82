import { useState } from "react";
import type { Failure } from "../../graphql/match-result.ts";

/** A file that is there, to be sent with a letter. */
export interface Upload {
  readonly attachmentId: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

const NO_ANSWER: Failure = {
  code: "unreachable",
  message: "The file was not uploaded: no answer came back from Satchel. Check your connection and try again.",
};

/** Files of a letter that is being written: each is uploaded as soon as it is chosen, as it is. */
export function useUploads(first: readonly Upload[] = []) {
  const [files, setFiles] = useState<readonly Upload[]>(first);
  const [underWay, setUnderWay] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function add(chosen: readonly File[]) {
    setFailure(null);
    setUnderWay((count) => count + chosen.length);
    for (const file of chosen) {
      const uploaded = await upload(file).catch(() => NO_ANSWER);
      if ("attachmentId" in uploaded) setFiles((all) => [...all, uploaded]);
      else setFailure(uploaded);
      setUnderWay((count) => count - 1);
    }
  }
  const remove = (attachmentId: string) => setFiles((all) => all.filter((file) => file.attachmentId !== attachmentId));
  const reset = (next: readonly Upload[] = []) => setFiles(next);
  return { files, isUploading: underWay > 0, failure, add, remove, reset };
}

async function upload(file: File): Promise<Upload | Failure> {
  const query = new URLSearchParams({ filename: file.name, ...(file.type ? { contentType: file.type } : {}) });
  const answer = await fetch(`/api/agent/email/attachments?${query}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  });
  const { id, filename, size, error, message } = (await answer.json()) as Record<string, string> & { size: number };
  if (!answer.ok) return { code: error ?? "internal_error", message: message ?? NO_ANSWER.message };
  return { attachmentId: id ?? "", filename: filename ?? file.name, sizeBytes: size };
}
