/**
 * Called after a credential that acts for an account was created: an API token, or the first tokens of an application.
 * Must not throw. The work it starts is not awaited.
 */
export type OnCredentialCreated = (accountId: string) => void;

export interface CredentialCreatedDeps {
  readonly onCredentialCreated: OnCredentialCreated;
}
