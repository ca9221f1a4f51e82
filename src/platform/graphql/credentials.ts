import type { GraphqlViewer } from "./options.ts";

/** Why a connection ends: its credential is past its time or withdrawn, or that could not be found out. */
export type Ending = "expired" | "revoked" | "unknown";

/** One open connection's hold on a credential. */
export type Membership = {
  /** False when the credential expired or was last checked too long ago. */
  isFresh(nowMs: number): boolean;
  /** Checks again, at once for all connections of the credential; those that may not stay are ended. */
  refresh(): Promise<void>;
  leave(): void;
};

type Member<TViewer> = { viewer: TViewer; end(ending: Ending): void };
type Credential<TViewer> = { members: Set<Member<TViewer>>; checkedAtMs: number; checking: Promise<void> | null };

export type CredentialRegistry<TViewer> = {
  join(viewer: TViewer, end: (ending: Ending) => void): Membership;
  /** Ends every connection of the credential now. */
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

/** Watches the credentials behind open connections: each is asked about once, however many connections it has. */
export function createCredentialRegistry<TViewer extends GraphqlViewer>(
  options: CredentialRegistryOptions<TViewer>,
): CredentialRegistry<TViewer> {
  const credentials = new Map<unknown, Credential<TViewer>>();

  const isExpired = (viewer: TViewer, nowMs: number) => viewer.expiresAtMs != null && viewer.expiresAtMs <= nowMs;

  const endAll = (members: Iterable<Member<TViewer>>, ending: Ending) => {
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
      // Whoever it is may come back and be authenticated anew.
      options.onError?.(error);
      endAll(credential.members, "unknown");
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
      const joined = credential;
      joined.members.add(member);
      return {
        isFresh: (nowMs) => !isExpired(viewer, nowMs) && nowMs - joined.checkedAtMs <= options.maxAgeMs,
        refresh: () => checkOnce(joined),
        leave() {
          joined.members.delete(member);
          if (joined.members.size === 0 && credentials.get(key) === joined) credentials.delete(key);
        },
      };
    },
    disconnect(credentialKey) {
      endAll(credentials.get(credentialKey)?.members ?? [], "revoked");
    },
    stop: () => clearInterval(timer),
  };
}
