import type { GraphqlViewer } from "./options.ts";
import type { EndReason } from "./stream-endings.ts";

/** The association of one open connection with its credential. */
export type Membership = {
  /** False if the credential has expired or its last check is too old. */
  isFresh(nowMs: number): boolean;
  /** Checks the credential once for all its connections, and ends those that are no longer permitted. */
  refresh(): Promise<void>;
  leave(): void;
};

type Member<TViewer> = { viewer: TViewer; end(ending: EndReason): void };
type Credential<TViewer> = { members: Set<Member<TViewer>>; checkedAtMs: number; checking: Promise<void> | null };

export type CredentialRegistry<TViewer> = {
  join(viewer: TViewer, end: (ending: EndReason) => void): Membership;
  /** Ends all connections of the credential immediately. */
  disconnect(credentialKey: string): void;
  stop(): void;
};

export type CredentialRegistryOptions<TViewer> = {
  isStillValid: ((viewer: TViewer) => Promise<boolean> | boolean) | undefined;
  credentialKey: ((viewer: TViewer) => string) | undefined;
  checkIntervalMs: number;
  maxAgeMs: number;
  onError?: ((error: unknown) => void) | undefined;
};

/** Creates a registry that checks the credentials of open connections, once per credential for all its connections. */
export function createCredentialRegistry<TViewer extends GraphqlViewer>(
  options: CredentialRegistryOptions<TViewer>,
): CredentialRegistry<TViewer> {
  const credentials = new Map<unknown, Credential<TViewer>>();

  const isExpired = (viewer: TViewer, nowMs: number) => viewer.expiresAtMs != null && viewer.expiresAtMs <= nowMs;

  const endAll = (members: Iterable<Member<TViewer>>, ending: EndReason) => {
    for (const member of [...members]) member.end(ending);
  };

  const check = async (credential: Credential<TViewer>) => {
    const nowMs = Date.now();
    endAll(
      [...credential.members].filter((member) => isExpired(member.viewer, nowMs)),
      "expired",
    );
    const [member] = credential.members;
    if (!member) return;
    try {
      const valid = options.isStillValid ? await options.isStillValid(member.viewer) : true;
      if (valid) credential.checkedAtMs = nowMs;
      else endAll(credential.members, "revoked");
    } catch (error) {
      // The clients may reconnect and authenticate again.
      options.onError?.(error);
      endAll(credential.members, "internal");
    }
  };

  const checkOnce = (credential: Credential<TViewer>) => {
    credential.checking ??= check(credential).finally(() => {
      credential.checking = null;
    });
    return credential.checking;
  };

  const timer = setInterval(() => {
    for (const credential of credentials.values()) void checkOnce(credential);
  }, options.checkIntervalMs);
  timer.unref();

  return {
    join(viewer, end) {
      const member: Member<TViewer> = { viewer, end };
      const key = options.credentialKey?.(viewer) ?? member;
      let credential = credentials.get(key);
      if (!credential) {
        credential = { members: new Set(), checkedAtMs: Date.now(), checking: null };
        credentials.set(key, credential);
      }
      const current = credential;
      current.members.add(member);
      return {
        isFresh: (nowMs) => !isExpired(viewer, nowMs) && nowMs - current.checkedAtMs <= options.maxAgeMs,
        refresh: () => checkOnce(current),
        leave() {
          current.members.delete(member);
          if (current.members.size === 0 && credentials.get(key) === current) credentials.delete(key);
        },
      };
    },
    disconnect(credentialKey) {
      endAll(credentials.get(credentialKey)?.members ?? [], "revoked");
    },
    stop: () => clearInterval(timer),
  };
}
