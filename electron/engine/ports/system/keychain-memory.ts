import type { Keychain } from '../keychain.ts';

/** Secrets in the memory of the process. */
export function createMemoryKeychain(): Keychain {
  const secrets = new Map<string, string>();
  return {
    kind: 'memory',
    async get(account) {
      return secrets.get(account) ?? null;
    },
    async set(account, secret) {
      secrets.set(account, secret);
    },
    async delete(account) {
      secrets.delete(account);
    },
  };
}
