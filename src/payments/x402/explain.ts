/** Plain words for what facilitators and servers answer (spec section 7.4, and what the reference packages send besides). */

export interface PaymentErrorExplanation {
  /** The string as the other side sent it, cut to a printable 100 characters. */
  readonly code: string;
  readonly message: string;
}

const NO_FUNDS = "The paying wallet does not hold enough of the asset.";
const BAD_SIGNATURE = "The facilitator could not match the signature to the paying wallet.";
const USED = "This authorization was already used: the payment may have gone through before.";
const EXPIRED = "The authorization ran out before the facilitator submitted it.";
const TOO_EARLY = "By the facilitator's clock the authorization is not valid yet.";
const WRONG_AMOUNT = "The amount authorized is not the amount the shop asks for.";
const WRONG_PAYEE = "The recipient authorized is not the one the shop asks for.";
const WRONG_NETWORK = "The shop's facilitator does not take payments on this network.";
const WRONG_SCHEME = "The shop's facilitator does not take payments of this scheme.";
const WRONG_DOMAIN = "The shop names another EIP-712 domain than the token has; the shop's settings are wrong.";
const ON_CHAIN = "The transaction failed on the chain.";
const SIMULATION = "The facilitator's trial run of the transfer failed.";
const UNDECIDED = "The transaction was sent, but the facilitator has not seen it confirmed yet.";

const MESSAGES: ReadonlyMap<string, string> = new Map([
  // Spec section 7.4.
  ["insufficient_funds", NO_FUNDS],
  ["invalid_scheme", WRONG_SCHEME],
  ["unsupported_scheme", WRONG_SCHEME],
  ["invalid_network", WRONG_NETWORK],
  ["invalid_x402_version", "The shop expects another version of X402."],
  ["invalid_exact_evm_payload_signature", BAD_SIGNATURE],
  [
    "invalid_exact_svm_payload_transaction_instructions_length",
    "The facilitator expects another number of instructions.",
  ],
  ["invalid_transaction_state", ON_CHAIN],
  // EVM, exact.
  ["invalid_exact_evm_signature", BAD_SIGNATURE],
  ["invalid_exact_evm_insufficient_balance", NO_FUNDS],
  ["invalid_exact_evm_nonce_already_used", USED],
  ["invalid_exact_evm_token_name_mismatch", WRONG_DOMAIN],
  ["invalid_exact_evm_token_version_mismatch", WRONG_DOMAIN],
  ["invalid_exact_evm_missing_eip712_domain", WRONG_DOMAIN],
  ["invalid_exact_evm_scheme", WRONG_SCHEME],
  ["invalid_exact_evm_network_mismatch", WRONG_NETWORK],
  ["network_mismatch", WRONG_NETWORK],
  ["invalid_exact_evm_recipient_mismatch", WRONG_PAYEE],
  ["invalid_exact_evm_payload_recipient_mismatch", WRONG_PAYEE],
  ["invalid_exact_evm_authorization_value", WRONG_AMOUNT],
  ["invalid_exact_evm_payload_authorization_value", WRONG_AMOUNT],
  ["invalid_exact_evm_payload_authorization_value_mismatch", WRONG_AMOUNT],
  ["invalid_exact_evm_payload_authorization_valid_after", TOO_EARLY],
  ["invalid_exact_evm_payload_authorization_valid_before", EXPIRED],
  ["invalid_exact_evm_transaction_simulation_failed", SIMULATION],
  ["invalid_exact_evm_transaction_failed", ON_CHAIN],
  ["asset_not_deployed_contract", "There is no token contract at the asset's address on this network."],
  // Permit2.
  ["permit2_allowance_required", "The wallet has not approved Permit2 for this asset."],
  ["permit2_insufficient_balance", NO_FUNDS],
  ["permit2_invalid_nonce", USED],
  ["permit2_deadline_expired", EXPIRED],
  ["permit2_not_yet_valid", TOO_EARLY],
  ["permit2_payment_too_early", TOO_EARLY],
  ["permit2_amount_mismatch", WRONG_AMOUNT],
  ["permit2_simulation_failed", SIMULATION],
  ["invalid_permit2_signature", BAD_SIGNATURE],
  ["invalid_permit2_recipient_mismatch", WRONG_PAYEE],
  [
    "invalid_upto_evm_payload_settlement_exceeds_amount",
    "The shop tried to charge more than the cap that was authorized.",
  ],
  // Solana.
  ["invalid_exact_svm_payload_amount_mismatch", WRONG_AMOUNT],
  ["invalid_exact_svm_payload_recipient_mismatch", WRONG_PAYEE],
  ["invalid_exact_svm_payload_memo_mismatch", "The memo is not the one the shop asks for."],
  ["fee_payer_not_managed_by_facilitator", "The fee payer the shop names does not belong to its facilitator."],
  ["duplicate_settlement", USED],
  ["transaction_simulation_failed", SIMULATION],
  ["transaction_failed", ON_CHAIN],
  ["settlement_pending", UNDECIDED],
]);

/** A short message for a person; an unknown string is repeated, since it is all there is to know. */
export function explainPaymentError(reason: string): PaymentErrorExplanation {
  const code = reason
    .replace(/[^\x20-\x7e]/g, " ")
    .trim()
    .slice(0, 100);
  return { code, message: MESSAGES.get(code) ?? `The shop refused the payment: ${code || "no reason given"}` };
}
