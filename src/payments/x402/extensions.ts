/** Extensions of X402 version 2 to which a payment adds members. All others are echoed unchanged. */
import { isJsonObject } from "./json.ts";
import type { JsonObject } from "./requirement.ts";

type Extensions = JsonObject | null;

/** The payer approves Permit2 by an EIP-2612 permit, which the facilitator submits (specs/extensions/eip2612_gas_sponsoring.md). */
const GAS_SPONSORING = "eip2612GasSponsoring";
/** The payment's identifier, by which the seller detects repeated requests (specs/extensions/payment_identifier.md). */
const PAYMENT_IDENTIFIER = "payment-identifier";

export function offersGasSponsoring(extensions: Extensions): boolean {
  return canAddInfo(extensions?.[GAS_SPONSORING]);
}

export function addGasSponsoring(extensions: Extensions, info: JsonObject): Extensions {
  return addInfo(extensions, GAS_SPONSORING, info);
}

/** Returns the extensions of an offer that declares gas sponsoring with this `info` only. */
export function declareGasSponsoring(info: JsonObject): JsonObject {
  return { [GAS_SPONSORING]: { info } };
}

export function acceptsPaymentIdentifier(extensions: Extensions): boolean {
  return canAddInfo(extensions?.[PAYMENT_IDENTIFIER]);
}

/** @param id 16 to 128 characters of [A-Za-z0-9_-] */
export function addPaymentIdentifier(extensions: Extensions, id: string): Extensions {
  return addInfo(extensions, PAYMENT_IDENTIFIER, { id });
}

/** Adds members to the `info` of a declared extension. The seller's own members remain, because it compares them with its offer. */
function addInfo(extensions: Extensions, name: string, added: JsonObject): Extensions {
  const declared = extensions?.[name];
  if (!canAddInfo(declared)) return extensions;
  const { info } = declared;
  return { ...extensions, [name]: { ...declared, info: { ...info, ...added, ...info } } };
}

function canAddInfo(declared: unknown): declared is JsonObject & { info?: JsonObject } {
  return isJsonObject(declared) && (declared["info"] === undefined || isJsonObject(declared["info"]));
}
