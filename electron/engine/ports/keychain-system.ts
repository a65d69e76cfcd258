import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Clock } from './clock.ts';
import { KEYCHAIN_SERVICE, type Keychain } from './keychain.ts';
import type { Random } from './random.ts';

/** The part of keytar that is used. */
export interface SystemSecrets {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface SystemKeychainOptions {
  clock: Clock;
  /** Another source of the native library, for tests. */
  load?: () => Promise<SystemSecrets>;
  /** Whether a locked keychain says that it has nothing, instead of failing. True of Linux. */
  hidesWhenLocked?: boolean;
}

/** A locked keychain prompts the user, and answers no call until then. */
export const KEYCHAIN_TRIES_MS = 10_000;

/** What the smallest keychain holds (Windows: 2,560 bytes of UTF-16). The same everywhere, so that it shows everywhere. */
export const MAX_SECRET_CHARS = 1280;

const LOCK_TEST_ACCOUNT = 'lock-test';

/**
 * The operating system's keychain. The native library is loaded when it is first needed, so that a machine without one
 * can still start. A call that gets no answer in 10 s is `keychain.locked`, one that fails is `keychain.unavailable`.
 *
 * Calls go one after the other: each one that hangs holds a thread of Node's small pool, which files and name look-ups
 * need too.
 */
export function createSystemKeychain(options: SystemKeychainOptions): Keychain {
  const load = options.load ?? loadKeytar;
  const hides = options.hidesWhenLocked ?? process.platform === 'linux';
  let library: Promise<SystemSecrets> | null = null;
  let previous: Promise<unknown> = Promise.resolve();

  async function call<T>(task: (secrets: SystemSecrets) => Promise<T>): Promise<T> {
    const turn = previous;
    let isGivenUp = false;
    const work = (async () => {
      await turn;
      if (isGivenUp) throw appError('keychain.locked');
      library ??= load();
      try {
        return await task(await library);
      } catch (error) {
        throw unavailable(error);
      }
    })();
    // The next call waits until this one has really ended, however it ended; its caller gets the failure.
    previous = work.then(ignore, ignore);
    return timeBoxed(options.clock, work, () => {
      isGivenUp = true;
    });
  }

  return {
    kind: 'system',
    get: (account) =>
      call(async (secrets) => {
        const found = await secrets.getPassword(KEYCHAIN_SERVICE, account);
        if (found !== null || !hides) return found;
        await assertUnlocked(secrets);
        return secrets.getPassword(KEYCHAIN_SERVICE, account);
      }),
    async set(account, secret) {
      assertStorable(secret);
      await call((secrets) => secrets.setPassword(KEYCHAIN_SERVICE, account, secret));
    },
    async delete(account) {
      await call(async (secrets) => {
        if ((await secrets.deletePassword(KEYCHAIN_SERVICE, account)) || !hides) return;
        await assertUnlocked(secrets);
        await secrets.deletePassword(KEYCHAIN_SERVICE, account);
      });
    },
  };
}

/** Whether `keychain` keeps and returns a secret, tried with a throw-away entry. null when it does. */
export async function probeSystemKeychain(keychain: Keychain, random: Random): Promise<AppError | null> {
  const account = `probe-${random.uuid()}`;
  const secret = Buffer.from(random.bytes(16)).toString('hex');
  try {
    await keychain.set(account, secret);
    const kept = await keychain.get(account);
    await keychain.delete(account);
    return kept === secret
      ? null
      : appError('keychain.unavailable', { details: { reason: 'gave back something else' } });
  } catch (error) {
    return error instanceof AppError ? error : unavailable(error);
  }
}

/**
 * Throws `keychain.locked` when nothing can be written. A locked keyring of the Secret Service answers as if it were empty;
 * to believe that would ask for a sign-in where one is kept, or leave one behind at a sign-out. Writing makes the desktop
 * ask the person to unlock it.
 */
async function assertUnlocked(secrets: SystemSecrets): Promise<void> {
  try {
    await secrets.setPassword(KEYCHAIN_SERVICE, LOCK_TEST_ACCOUNT, 'unlocked');
    await secrets.deletePassword(KEYCHAIN_SERVICE, LOCK_TEST_ACCOUNT);
  } catch (error) {
    throw appError('keychain.locked', { details: { reason: reasonOf(error) }, cause: error });
  }
}

async function loadKeytar(): Promise<SystemSecrets> {
  const module = await import('keytar');
  return (module as { default?: SystemSecrets }).default ?? module;
}

function assertStorable(secret: string): void {
  if (secret.length > 0 && secret.length <= MAX_SECRET_CHARS) return;
  throw appError('keychain.unavailable', {
    message: 'The library’s sign-in can’t be stored in a keychain.',
    details: { reason: secret.length === 0 ? 'empty' : `longer than ${MAX_SECRET_CHARS} characters` },
  });
}

function timeBoxed<T>(clock: Clock, work: Promise<T>, onGivenUp: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(KEYCHAIN_TRIES_MS, () => {
      onGivenUp();
      reject(appError('keychain.locked', { details: { waitedMs: KEYCHAIN_TRIES_MS } }));
    });
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** The library's errors carry no code, and what they say differs by system: it goes along for a report. */
function unavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return appError('keychain.unavailable', { details: { reason: reasonOf(error) }, cause: error });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

function ignore(): void {}
