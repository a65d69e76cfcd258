import type { Failpoints } from '../ports/failpoints.ts';
import type { Keychain } from '../ports/keychain.ts';

/** Wraps a keychain: each change is a failpoint, `keychain.set` or `keychain.delete`. */
export function keychainWithFailpoints(keychain: Keychain, failpoints: Failpoints): Keychain {
  return {
    kind: keychain.kind,
    get: (account) => keychain.get(account),
    set: (account, secret) => failpoints.runAsync('keychain.set', () => keychain.set(account, secret)),
    delete: (account) => failpoints.runAsync('keychain.delete', () => keychain.delete(account)),
  };
}
