/** Explanations of the error codes of facilitators and servers (spec section 7.4, and the codes of the reference packages). */

export interface PaymentErrorExplanation {
  /** The received string, reduced to printable ASCII and 100 characters. */
  readonly code: string;
  readonly message: string;
}

const NO_FUNDS = "The paying wallet does not hold enough of the asset.";
const BAD_SIGNATURE = "The facilitator could not match the signature to the paying wallet.";
const USED = "This authorization was already used: the payment may have settled before.";
const EXPIRED = "The authorization expired before the facilitator submitted it.";
const TOO_EARLY = "By the facilitator's clock the authorization is not valid yet.";
const WRONG_AMOUNT = "The authorized amount differs from the amount the seller requires.";
const WRONG_PAYEE = "The authorized recipient differs from the recipient the seller requires.";
const WRONG_NETWORK = "The seller's facilitator does not accept payments on this network.";
const WRONG_SCHEME = "The seller's facilitator does not accept payments of this scheme.";
const WRONG_DOMAIN = "The seller's EIP-712 domain differs from the token's; the seller must correct its configuration.";
const ON_CHAIN = "The transaction failed on chain.";
const SIMULATION = "The facilitator's simulation of the transfer failed.";
const UNDECIDED = "The transaction was sent, but the facilitator has not seen it confirmed yet.";

const MESSAGES: ReadonlyMap<string, string> = new Map([
  // Spec section 7.4.
  ["insufficient_funds", NO_FUNDS],
  ["invalid_scheme", WRONG_SCHEME],
  ["unsupported_scheme", WRONG_SCHEME],
  ["invalid_network", WRONG_NETWORK],
  ["invalid_x402_version", "The seller expects another version of X402."],
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
  ["invalid_upto_evm_payload_settlement_exceeds_amount", "The seller tried to charge more than the authorized cap."],
  // Solana.
  ["invalid_exact_svm_payload_amount_mismatch", WRONG_AMOUNT],
  ["invalid_exact_svm_payload_recipient_mismatch", WRONG_PAYEE],
  ["invalid_exact_svm_payload_memo_mismatch", "The memo differs from the memo the seller requires."],
  ["fee_payer_not_managed_by_facilitator", "The fee payer in the offer does not belong to the seller's facilitator."],
  ["duplicate_settlement", USED],
  ["transaction_simulation_failed", SIMULATION],
  ["transaction_failed", ON_CHAIN],
  ["settlement_pending", UNDECIDED],
  // Extensions of version 2.
  ["extension_echo_mismatch", "The payment's extensions differ from those the seller declared."],
]);

/** Returns a short message for a person. An unknown string is quoted, because there is no other information. */
export function explainPaymentError(reason: string): PaymentErrorExplanation {
  const code = reason
    .replace(/[^\x20-\x7e]/g, " ")
    .trim()
    .slice(0, 100);
  return { code, message: MESSAGES.get(code) ?? `The seller refused the payment: ${code || "no reason given"}` };
}
