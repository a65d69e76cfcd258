import type { Keychain } from './keychain.ts';

/** Secrets for as long as the process lives. */
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
