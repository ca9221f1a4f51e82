import type { FailedTransactionMetadata } from "litesvm";

/**
 * Names of transaction errors in JSON-RPC, by the number of the variant in LiteSVM. The order is that of the declarations in
 * solana-transaction-error 3 and solana-instruction-error 2.
 */
const TRANSACTION_ERRORS = (
  "AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee " +
  "AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure " +
  "InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit " +
  "UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit " +
  "TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData " +
  "InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit " +
  "MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction " +
  "ProgramCacheHitMaxLimit CommitCancelled"
).split(" ");
const INSTRUCTION_ERRORS = (
  "GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds " +
  "IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction " +
  "ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified " +
  "DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged " +
  "AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError " +
  "ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth " +
  "MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded " +
  "PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable " +
  "IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner " +
  "MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded " +
  "BuiltinProgramsMustConsumeComputeUnits BorshIoError"
).split(" ");

/** A transaction error in JSON-RPC: a name, or an object with the name as key. */
export type RpcTransactionError = string | Record<string, unknown>;

/** Converts an error of LiteSVM to JSON-RPC. */
export function toRpcError(failure: FailedTransactionMetadata): RpcTransactionError {
  const error = failure.err();
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "SanitizeFailure";
  if ("err" in error) {
    const cause = error.err();
    const named =
      typeof cause === "number"
        ? (INSTRUCTION_ERRORS[cause] ?? "GenericError")
        : "code" in cause
          ? { Custom: cause.code }
          : { BorshIoError: cause.msg };
    return { InstructionError: [error.index, named] };
  }
  if ("accountIndex" in error) return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  return { DuplicateInstruction: error.index };
}

/** Returns whether a failed transaction was executed, so that it is recorded on chain and pays fees. */
export function isRecordedOnChain(error: RpcTransactionError): boolean {
  return typeof error === "object" && "InstructionError" in error;
}
