import { generateKeyPairSync, privateDecrypt, randomBytes } from "node:crypto";
import type { Card, Paid } from "../card.ts";

/** A payment that the processor confirms itself. The merchant created it with the amount. */
export interface Intent {
  readonly id: string;
  readonly amount: string;
  readonly returnUrl: string;
  confirm(card: Card): Paid;
  /** Result of the last confirmation. */
  result: Paid | null;
}

/** The card processor of all merchants in the gallery. It has a site of its own. */
export interface CardProcessor {
  readonly url: string;
  /** Public key for encryption in the merchant's page, as a JSON Web Key. */
  readonly publicKey: JsonWebKey;
  tokenise(card: Card): string;
  /** Returns the card of a token. A token remains valid, so a second payment with it is charged too. */
  redeem(token: string): Card | null;
  decrypt(text: string): string | null;
  createIntent(intent: Omit<Intent, "id" | "result">): Intent;
  findIntent(id: string): Intent | undefined;
}

export function createProcessor(url: () => string): CardProcessor {
  const tokens = new Map<string, Card>();
  const intents = new Map<string, Intent>();
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    get url() {
      return url();
    },
    publicKey: keys.publicKey.export({ format: "jwk" }),
    tokenise(card) {
      const token = `tok_${randomBytes(15).toString("base64url")}`;
      tokens.set(token, card);
      return token;
    },
    redeem: (token) => tokens.get(token) ?? null,
    decrypt(text) {
      try {
        return privateDecrypt({ key: keys.privateKey, oaepHash: "sha256" }, Buffer.from(text, "base64")).toString();
      } catch {
        return null;
      }
    },
    createIntent(intent) {
      const created = { ...intent, id: `pi_${randomBytes(12).toString("base64url")}`, result: null };
      intents.set(created.id, created);
      return created;
    },
    findIntent: (id) => intents.get(id),
  };
}
