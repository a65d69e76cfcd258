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
/** What earlier versions of the service used. */
const EARLIER_COST: PasswordCost = { N: 2 ** 14, r: 8, p: 1 };

/** So many hashes run at the same time: 256 MiB, and two of the four threads that Node also needs for files. */
const MAX_RUNNING = 2;
/** So many of each kind wait for their turn; more are refused at once. */
const MAX_WAITING = 60;
const BUSY_RETRY_S = 10;

const KEY_BYTES = 32;
const NO_SALT = Buffer.alloc(16);

/** Derives a key without blocking the event loop. */
export type Derive = (password: string, salt: Buffer, cost: PasswordCost) => Promise<Buffer>;

/**
 * Who asks: an administrator, or a browser in which the user has signed in before (`known`), or anybody else (`stranger`).
 * Each kind has its own queue, and the two alternate: strangers who guess from very many addresses can fill theirs, and must
 * not keep the users of the library out.
 */
export type Asker = 'known' | 'stranger';

/** Hashes and verifies passwords, a bounded number at a time. Both throw a `Problem` (503) when too many wait. */
export interface Passwords {
  /** `scrypt$N$r$p$salt$key` with a fresh salt. Only administrators set passwords, so the caller counts as known. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is right. `fresh` is a new hash when the password is right and its hash has a lower cost than
   * today's. Takes the same time for a user who does not exist, has no password, or has an old hash.
   */
  verify(
    password: string,
    hash: string | null | undefined,
    asker: Asker,
  ): Promise<{ isRight: boolean; fresh: string | null }>;
}

export interface PasswordOptions {
  /** For tests and their seeding alone. */
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
   * Every verification derives a key at an earlier cost and one at today's, whichever of them is compared: an old hash that
   * were verified in a sixteenth of the time would show that the account exists.
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

/** Lets a bounded number of pieces of work run at a time: those of each asker in the order in which they came. */
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
      // The next one takes over the place that this one had.
      const next = takeNext();
      if (next) next();
      else running -= 1;
    }
  };
}

function deriveKey(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node's own limit is 32 MiB. The memory that scrypt needs is 128 · N · r and a little more.
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
