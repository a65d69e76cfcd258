import { z } from 'zod';
import type { Keychain } from '../../ports/keychain.ts';
import type { Credentials } from '../proxy-choice.ts';

/** The name of the entry in the keychain. */
const ENTRY = 'network-proxy';

const storedSchema = z.object({ proxy: z.string(), user: z.string(), password: z.string() });

/** The password at one proxy, in the keychain. It is given to no other proxy and for no other user. */
export class ProxyPassword {
  readonly #keychain: Keychain;
  #known: Promise<z.output<typeof storedSchema> | null> | null = null;

  constructor(keychain: Keychain) {
    this.#keychain = keychain;
  }

  /** Returns the credentials of a user at a proxy (host and port); null: none are stored. Throws `keychain.*`. */
  async get(proxy: string, user: string): Promise<Credentials | null> {
    if (user === '') return null;
    this.#known ??= this.#read();
    let stored: z.output<typeof storedSchema> | null;
    try {
      stored = await this.#known;
    } catch (error) {
      // A locked keychain may answer later.
      this.#known = null;
      throw error;
    }
    return stored?.proxy === proxy && stored.user === user ? { user, password: stored.password } : null;
  }

  /** Stores a password, in the place of another one. Throws `keychain.*`. */
  async set(proxy: string, { user, password }: Credentials): Promise<void> {
    const stored = { proxy, user, password };
    await this.#keychain.set(ENTRY, JSON.stringify(stored));
    this.#known = Promise.resolve(stored);
  }

  /** Deletes the password. Throws `keychain.*`. */
  async delete(): Promise<void> {
    await this.#keychain.delete(ENTRY);
    this.#known = Promise.resolve(null);
  }

  async #read(): Promise<z.output<typeof storedSchema> | null> {
    const text = await this.#keychain.get(ENTRY);
    if (text === null) return null;
    try {
      return storedSchema.parse(JSON.parse(text));
    } catch {
      // Not an entry of Mediadesk: as if there were none.
      return null;
    }
  }
}
