import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Logger } from '../ports/logger.ts';
import type { KeychainSlot, SiteRecord } from './site-records.ts';

/** A refresh token as kept, with its place in the row of tokens that superseded one another. */
export interface StoredToken {
  generation: number;
  token: string;
}

export interface TokenSlotsOptions {
  siteId: string;
  keychain: Keychain;
  logger: Logger;
  /** The record of the site as it is now. */
  record(): SiteRecord;
  update(change: Partial<SiteRecord>): void;
}

/** The refresh token of one account, in two entries of the keychain. */
export interface TokenSlots {
  /**
   * What is kept, newest first; at most two. Throws `keychain.*` when the keychain does not answer and nothing else is known.
   */
  stored(): Promise<StoredToken[]>;
  /**
   * Keeps a newer token: into the slot that is not in use, read back, then the slot is switched. Until then the old one
   * stands. When the keychain fails, the token is kept in memory and the problem is returned.
   */
  store(token: string): Promise<AppError | null>;
  /** Tries again to store what is in memory only, if anything is. Returns the problem that is left. */
  storeAgain(): Promise<AppError | null>;
  /** Removes all but the newest. Failing is fine: it is overwritten some day. */
  forgetOlder(): Promise<void>;
  /** Removes everything, from memory in any case. Throws `keychain.*` when the keychain did not. */
  wipe(): Promise<void>;
}

const SLOTS: readonly KeychainSlot[] = ['a', 'b'];

/** The name of a slot's entry in the keychain. */
function keychainAccount(siteId: string, slot: KeychainSlot): string {
  return `${siteId}/${slot}`;
}

/**
 * Each entry carries a number, so that after a crash between the write and the switch the newer one is known. To offer
 * the service the older one first would look like a stolen token and end the whole sign-in.
 */
export function createTokenSlots(options: TokenSlotsOptions): TokenSlots {
  const { siteId, keychain, logger } = options;
  let inMemory: StoredToken | null = null;
  let lastChange: Promise<unknown> = Promise.resolve();

  /** Changes of the keychain, one after the other: an older token never gets a higher number, nor comes back after a wipe. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = lastChange.then(change);
    lastChange = turn.catch(() => {});
    return turn;
  }

  async function inKeychain(): Promise<(StoredToken & { slot: KeychainSlot })[]> {
    const found: (StoredToken & { slot: KeychainSlot })[] = [];
    for (const slot of SLOTS) {
      const text = await keychain.get(keychainAccount(siteId, slot));
      const stored = text === null ? null : parse(text);
      if (stored !== null) found.push({ ...stored, slot });
    }
    const inUse = options.record().keychainSlot;
    return found.sort((x, y) => y.generation - x.generation || Number(y.slot === inUse) - Number(x.slot === inUse));
  }

  async function stored(): Promise<StoredToken[]> {
    if (inMemory !== null) return [inMemory];
    return inKeychain();
  }

  /** Answers where it is now. */
  async function writeToKeychain(token: string): Promise<Partial<SiteRecord>> {
    const kept = await inKeychain();
    const [newest] = kept;
    const target: KeychainSlot = (newest?.slot ?? 'b') === 'a' ? 'b' : 'a';
    const text = `${nextGeneration(inMemory, kept)}.${token}`;
    await keychain.set(keychainAccount(siteId, target), text);
    if ((await keychain.get(keychainAccount(siteId, target))) !== text) {
      throw appError('keychain.unavailable', { details: { reason: 'gave back something else' } });
    }
    return { keychainSlot: target, keptIn: keychain.kind };
  }

  /** The token is safe by now; a record that could not be written must not cost it. */
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
        for (const { slot } of older) await keychain.delete(keychainAccount(siteId, slot));
      } catch (error) {
        logger.warn('account.older-token-stays', { siteId, reason: reasonOf(error) });
      }
    },

    async wipe() {
      inMemory = null;
      const results = await inTurn(() => {
        inMemory = null;
        return Promise.allSettled(SLOTS.map((slot) => keychain.delete(keychainAccount(siteId, slot))));
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
