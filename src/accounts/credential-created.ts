/**
 * Told once there is a new credential by which somebody acts for an account: an API token was made, or an application
 * has got its first tokens. It does not throw, and nobody waits for what it begins.
 */
export type OnCredentialCreated = (accountId: string) => void;

export interface CredentialCreatedDeps {
  readonly onCredentialCreated: OnCredentialCreated;
}
