import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Problem } from '../wire/problem.ts';

/** The parameters of scrypt. A hash takes 128 · N · r bytes of memory. */
export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/** The minimum that OWASP's Password Storage Cheat Sheet names for scrypt: 128 MiB a hash. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };
/** The cost in earlier versions of the service. */
const EARLIER_COST: PasswordCost = { N: 2 ** 14, r: 8, p: 1 };

/** The number of concurrent hashes: they take 256 MiB, and two of the four threads that Node also needs for files. */
const MAX_RUNNING = 2;
/** The maximum number of waiting requests of each kind; further ones are refused immediately. */
const MAX_WAITING = 60;
const BUSY_RETRY_S = 10;

const KEY_BYTES = 32;
const NO_SALT = Buffer.alloc(16);

/** Derives a key without blocking the event loop. */
export type Derive = (password: string, salt: Buffer, cost: PasswordCost) => Promise<Buffer>;

/**
 * The kind of the caller: `known` for an administrator or a browser in which the user has signed in before, `stranger`
 * for any other. Each kind has its own queue, and the two alternate: attackers with very many addresses can fill the
 * queue of strangers, but must not keep the users of the library out.
 */
type Asker = 'known' | 'stranger';

/** Hashes and verifies passwords, a bounded number at a time. Both throw a `Problem` (503) when too many wait. */
export interface Passwords {
  /** Returns `scrypt$N$r$p$salt$key` with a new salt. Only administrators set passwords, so the caller counts as `known`. */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. `fresh` is a new hash when the password is right and its hash has an outdated cost. Takes the same time
   * for a user who does not exist, has no password, or has an old hash.
   */
  verify(
    password: string,
    hash: string | null | undefined,
    asker: Asker,
  ): Promise<{ isRight: boolean; fresh: string | null }>;
}

export interface PasswordOptions {
  /** Only for tests and their seed data. */
  cost?: PasswordCost;
  derive?: Derive;
}

export function createPasswords({ cost = PASSWORD_COST, derive = deriveKey }: PasswordOptions = {}): Passwords {
  const inTurn = createTurns();

  async function hashNow(password: string): Promise<string> {
    const salt = randomBytes(16);
    const key = await derive(password, salt, cost);
    return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
  }

  /**
   * Every verification derives one key at the earlier cost and one at the current cost, whichever is compared: an old hash that
   * verified in a sixteenth of the time would reveal that the account exists.
   */
  async function verifyNow(password: string, hash: string | null | undefined) {
    const held = hash == null ? null : parseHash(hash);
    const isCurrent = held !== null && work(held.cost) >= work(cost);
    const compare = async () =>
      held !== null && timingSafeEqual(await derive(password, held.salt, held.cost), held.key);
    if (isCurrent) {
      await derive(password, NO_SALT, EARLIER_COST);
      return { isRight: await compare(), fresh: null };
    }
    if (held === null) await derive(password, NO_SALT, EARLIER_COST);
    const isRight = await compare();
    const fresh = await hashNow(password);
    return { isRight, fresh: isRight ? fresh : null };
  }

  return {
    hash: (password) => inTurn('known', () => hashNow(password)),
    verify: (password, hash, asker) => inTurn(asker, () => verifyNow(password, hash)),
  };
}

/** Limits the number of concurrent tasks. The tasks of each kind run in the order in which they were queued. */
function createTurns(): <T>(asker: Asker, work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queues: Record<Asker, (() => void)[]> = { known: [], stranger: [] };
  let nextAsker: Asker = 'known';

  function takeNext(): (() => void) | undefined {
    const other: Asker = nextAsker === 'known' ? 'stranger' : 'known';
    const next = queues[nextAsker].shift() ?? queues[other].shift();
    nextAsker = other;
    return next;
  }

  return async (asker, work) => {
    const waiting = queues[asker];
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) {
        throw new Problem(503, 'The service is busy with other sign-ins. Try again in a few seconds.', [], {
          'retry-after': String(BUSY_RETRY_S),
        });
      }
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The next task uses this slot.
      const next = takeNext();
      if (next) next();
      else running -= 1;
    }
  };
}

function deriveKey(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node's default limit is 32 MiB. Scrypt needs 128 · N · r and a little more.
    const maxmem = 128 * cost.N * cost.r + 1024 * 1024;
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function parseHash(hash: string): { cost: PasswordCost; salt: Buffer; key: Buffer } {
  const [, n, r, p, salt = '', key = ''] = hash.split('$');
  return {
    cost: { N: Number(n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

function work({ N, r, p }: PasswordCost): number {
  return N * r * p;
}
