/** Detects explored merchants that use the name of a pooled merchant, or one that readers could confuse with it. */
import { rectifyConfusion } from "unicode-confusables";
import type { Prisma } from "../../../generated/prisma/client.ts";

/** Words that do not distinguish one merchant from another. */
const GENERIC =
  /\b(?:the|official|online|store|shop|web ?shop|outlet|ltd|limited|inc|incorporated|llc|plc|gmbh|ag|co|company|corp|corporation|com|net|org|uk|usa|us|eu|international|global)\b/g;

/**
 * Returns a form of the name that is equal for names that look alike. Unicode confusables (UTS #39), case, accents, spaces,
 * punctuation and generic words do not count.
 */
export function nameSkeleton(name: string): string {
  const plain = rectifyConfusion(name.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "")).toLowerCase();
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const distinctive = words.replace(GENERIC, "").replaceAll(" ", "") || words.replaceAll(" ", "");
  return distinctive.replace(/[i1]/g, "l").replaceAll("0", "o").replaceAll("rn", "m").replaceAll("vv", "w");
}

/** Whether the name looks like that of a merchant in the pool. */
export async function isPooledName(tx: Pick<Prisma.TransactionClient, "merchant">, name: string): Promise<boolean> {
  const pooled = await tx.merchant.findMany({ where: { pooledDomain: { not: null } }, select: { name: true } });
  const skeleton = nameSkeleton(name);
  return pooled.some((merchant) => nameSkeleton(merchant.name) === skeleton);
}
