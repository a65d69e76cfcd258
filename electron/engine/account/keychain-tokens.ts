import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Logger } from '../ports/logger.ts';
import type { KeychainEntry, SiteRecord } from './site-records.ts';

/** A stored refresh token, with its number in the sequence of tokens. */
export interface StoredToken {
  generation: number;
  token: string;
}

export interface KeychainTokensOptions {
  siteId: string;
  keychain: Keychain;
  logger: Logger;
  /** Returns the current record of the site. */
  record(): SiteRecord;
  update(change: Partial<SiteRecord>): void;
}

/** The refresh token of one account, in two entries of the keychain. */
export interface KeychainTokens {
  /**
   * Returns the stored tokens, newest first; at most two. Throws `keychain.*` when the keychain does not answer and no
   * token is known.
   */
  stored(): Promise<StoredToken[]>;
  /**
   * Stores a newer token: writes it to the keychain entry that is not in use, reads it back, then uses that entry. Until then the
   * old token stays. When the keychain fails, the token is kept in memory and the problem is returned.
   */
  store(token: string): Promise<AppError | null>;
  /** Retries to store a token that is only in memory. Returns the problem that remains, or null. */
  storeAgain(): Promise<AppError | null>;
  /** Deletes all tokens except the newest. A failure is harmless: the entry will be overwritten. */
  forgetOlder(): Promise<void>;
  /** Deletes all tokens; the one in memory also when the keychain fails. Throws `keychain.*` then. */
  wipe(): Promise<void>;
}

const ENTRIES: readonly KeychainEntry[] = ['a', 'b'];

/** Returns the name of an entry in the keychain. */
function entryName(siteId: string, entry: KeychainEntry): string {
  return `${siteId}/${entry}`;
}

/**
 * Creates the token store. Each entry has a number that identifies the newer token after a crash between write and switch.
 * Sending the older token first would look like theft and revoke the whole sign-in.
 */
export function createKeychainTokens(options: KeychainTokensOptions): KeychainTokens {
  const { siteId, keychain, logger } = options;
  let inMemory: StoredToken | null = null;
  let lastChange: Promise<unknown> = Promise.resolve();

  /**
   * Runs changes of the keychain one after the other: an older token never gets a higher number, and never returns after a
   * deletion.
   */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = lastChange.then(change);
    lastChange = turn.catch(() => {});
    return turn;
  }

  async function inKeychain(): Promise<(StoredToken & { entry: KeychainEntry })[]> {
    const found: (StoredToken & { entry: KeychainEntry })[] = [];
    for (const entry of ENTRIES) {
      const text = await keychain.get(entryName(siteId, entry));
      const stored = text === null ? null : parse(text);
      if (stored !== null) found.push({ ...stored, entry });
    }
    const inUse = options.record().keychainSlot;
    return found.sort((x, y) => y.generation - x.generation || Number(y.entry === inUse) - Number(x.entry === inUse));
  }

  async function stored(): Promise<StoredToken[]> {
    if (inMemory !== null) return [inMemory];
    return inKeychain();
  }

  /**
   * Writes the token to the keychain entry that does not hold the newest one, reads it back, and returns the changed fields of
   * the site record. Throws `keychain.unavailable` if the read value differs.
   */
  async function writeToKeychain(token: string): Promise<Partial<SiteRecord>> {
    const kept = await inKeychain();
    const [newest] = kept;
    const target: KeychainEntry = (newest?.entry ?? 'b') === 'a' ? 'b' : 'a';
    const text = `${nextGeneration(inMemory, kept)}.${token}`;
    await keychain.set(entryName(siteId, target), text);
    if ((await keychain.get(entryName(siteId, target))) !== text) {
      throw appError('keychain.unavailable', { details: { reason: 'gave back something else' } });
    }
    return { keychainSlot: target, keptIn: keychain.kind };
  }

  /** Stores the changed fields of the site record. The token is already stored: a failed write of the record must not lose it. */
  function noteKept(change: Partial<SiteRecord>): void {
    try {
      options.update(change);
    } catch (error) {
      logger.error('account.record-not-written', { siteId, reason: reasonOf(error) });
    }
  }

  async function store(token: string, refreshed: Partial<SiteRecord>): Promise<AppError | null> {
    try {
      const where = await writeToKeychain(token);
      noteKept({ ...where, ...refreshed });
      inMemory = null;
      return null;
    } catch (error) {
      const problem = error instanceof AppError ? error : appError('keychain.unavailable', { cause: error });
      inMemory = { generation: nextGeneration(inMemory, []), token };
      logger.warn('account.kept-in-memory', { siteId, code: problem.code });
      noteKept({ keptIn: 'memory', ...refreshed });
      return problem;
    }
  }

  return {
    stored,
    store: (token) => inTurn(() => store(token, { refreshingSince: null })),
    storeAgain: () => inTurn(async () => (inMemory === null ? null : store(inMemory.token, {}))),

    async forgetOlder() {
      try {
        const [, ...older] = await inKeychain();
        for (const { entry } of older) await keychain.delete(entryName(siteId, entry));
      } catch (error) {
        logger.warn('account.older-token-stays', { siteId, reason: reasonOf(error) });
      }
    },

    async wipe() {
      inMemory = null;
      const results = await inTurn(() => {
        inMemory = null;
        return Promise.allSettled(ENTRIES.map((entry) => keychain.delete(entryName(siteId, entry))));
      });
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

function nextGeneration(inMemory: StoredToken | null, kept: readonly StoredToken[]): number {
  return Math.max(0, inMemory?.generation ?? 0, ...kept.map((stored) => stored.generation)) + 1;
}

function parse(text: string): StoredToken | null {
  const match = /^(\d{1,15})\.(.+)$/s.exec(text);
  return match === null ? null : { generation: Number(match[1]), token: match[2] ?? '' };
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
}
