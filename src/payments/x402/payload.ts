/** Encoding of a payment as the one request header that sellers read (spec section 2.10 and the reference's version 2). */
import { VersionedMessage, VersionedTransaction } from "@solana/web3.js";
import { decodeBase58 } from "../../platform/crypto/base58.ts";
import type { Authorization, PermitAuthorization, StoredAuthorization } from "./authorization.ts";
import { addGasSponsoring } from "./extensions.ts";
import { MAX_PAYMENT_HEADER_CHARS } from "./header-limit.ts";
import type { JsonObject } from "./requirement.ts";

/** `r ‖ s ‖ v` in hex, including `0x`. */
const SIGNATURE_CHARS = 132;

export interface EncodedPayment {
  readonly headerName: "X-PAYMENT" | "PAYMENT-SIGNATURE";
  /** Base64 of JSON, at most `MAX_PAYMENT_HEADER_CHARS` long. */
  readonly header: string;
}

/** Encodes a stored payment and its signature as a header. The same input gives the same bytes. */
export function encodePayment(stored: StoredAuthorization, signature: string): EncodedPayment {
  const { x402Version, scheme, echo, authorization } = stored;
  const payload = schemePayload(authorization, signature);
  const json =
    x402Version === 1
      ? JSON.stringify({ x402Version, scheme, network: echo.network, payload })
      : joinMembers({
          x402Version: String(x402Version),
          resource: echo.resource,
          accepted: echo.accepted,
          payload: JSON.stringify(payload),
          extensions: extensionsText(stored, signature),
        });
  const header = Buffer.from(json).toString("base64");
  if (header.length > MAX_PAYMENT_HEADER_CHARS) throw new Error("The payment header is larger than its parts allow.");
  return { headerName: x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE", header };
}

/** Returns the decoded value of a payment header. */
export function decodePayment({ header }: EncodedPayment): JsonObject {
  return JSON.parse(Buffer.from(header, "base64").toString("utf8"));
}

/** Returns a JSON object of members that are JSON text, without the absent ones. The echoed text is not parsed again. */
function joinMembers(members: Readonly<Record<string, string | null>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== null);
  return `{${present.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
}

function schemePayload(it: Authorization, signature: string): JsonObject {
  switch (it.kind) {
    case "eip3009": {
      const { from, to, valueAtomic: value, validAfter, validBefore, nonce } = it;
      return { signature, authorization: { from, to, value, validAfter, validBefore, nonce } };
    }
    case "permit": {
      const { owner: from, spender: to, valueAtomic: value, nonce, deadline: validBefore } = it;
      return { signature, authorization: { from, to, value, nonce, validBefore } };
    }
    case "permit2": {
      const { from, spender, nonce, deadline, witness } = it;
      const { to, facilitator, validAfter } = witness;
      const permitted = { token: it.asset, amount: it.amountAtomic };
      return {
        signature: signature.slice(0, SIGNATURE_CHARS),
        permit2Authorization: {
          from,
          permitted,
          spender,
          nonce,
          deadline,
          witness: facilitator ? { to, facilitator, validAfter } : { to, validAfter },
        },
      };
    }
    case "solana":
      return { transaction: partiallySigned(it.messageBase64, it.payer, signature) };
  }
}

/** Returns the echoed extensions, with the permit that grants Permit2 its allowance if there is one. */
function extensionsText({ authorization, echo }: StoredAuthorization, signature: string): string | null {
  if (authorization.kind !== "permit2" || !authorization.allowancePermit || echo.extensions === null) {
    return echo.extensions;
  }
  const info = permitInfo(authorization.allowancePermit, `0x${signature.slice(SIGNATURE_CHARS)}`);
  return JSON.stringify(addGasSponsoring(JSON.parse(echo.extensions), info));
}

function permitInfo(permit: PermitAuthorization, signature: string): JsonObject {
  const { owner: from, asset, spender, valueAtomic: amount, nonce, deadline } = permit;
  return { from, asset, spender, amount, nonce, deadline, signature, version: "1" };
}

/** Returns the transaction with the payer's signature set and the fee payer's left empty. */
function partiallySigned(messageBase64: string, payer: string, signature: string): string {
  const message = VersionedMessage.deserialize(Buffer.from(messageBase64, "base64"));
  const transaction = new VersionedTransaction(message);
  const slot = message.staticAccountKeys.findIndex((key) => key.toBase58() === payer);
  const bytes = decodeBase58(signature);
  if (slot < 0 || bytes?.length !== 64) throw new Error("The signature does not belong to this transaction.");
  transaction.signatures[slot] = bytes;
  return Buffer.from(transaction.serialize()).toString("base64");
}
