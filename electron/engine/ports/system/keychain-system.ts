import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../clock.ts';
import { KEYCHAIN_SERVICE, type Keychain } from '../keychain.ts';
import type { Random } from '../random.ts';
import { keytarInProcess, type StartKeytar, type SystemSecrets } from './keytar-process.ts';

export interface SystemKeychainOptions {
  clock: Clock;
  /** Another source of the native library, for tests. */
  load?: () => Promise<SystemSecrets>;
  /** How the process for the keychain of Linux is started; with Node unless given. */
  startProcess?: StartKeytar;
  /** The system, as `process.platform`; this one unless given. On Linux a locked keychain reports an absent entry, not an error. */
  platform?: string;
}

/** How long a keychain may take. A locked keychain prompts the user, and answers only then. */
export const KEYCHAIN_TRIES_MS = 10_000;

/**
 * The size limit of the smallest keychain (Windows: 2,560 bytes of UTF-16). The same on every system, so that tests on
 * any system detect it.
 */
export const MAX_SECRET_CHARS = 1280;

const LOCK_TEST_ACCOUNT = 'lock-test';

/**
 * The operating system's keychain. The native library is loaded on first use, so that computers without it can start. A
 * call without an answer within 10 s is `keychain.locked`, a failed one is `keychain.unavailable`.
 *
 * Calls run one after the other: each hanging call blocks a thread. On Linux the threads are those of another process, see
 * `keytarInProcess`. On other systems the keychain is called in this process, which is the program that the user gave access.
 */
export function createSystemKeychain(options: SystemKeychainOptions): Keychain {
  const load = options.load ?? (() => loadKeytar(platform, options.startProcess));
  const { platform = process.platform } = options;
  const hides = platform === 'linux';
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
    // The next call waits until this call has ended; the caller gets its error.
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

/** Checks with a temporary entry whether `keychain` stores and returns a secret. Returns null when it does. */
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
 * Throws `keychain.locked` when nothing can be written. A locked keyring of the Secret Service answers like an empty one;
 * trusting that would require a sign-in although one is stored, or leave a secret at a sign-out. Writing makes the desktop ask
 * the user to unlock the keyring.
 */
async function assertUnlocked(secrets: SystemSecrets): Promise<void> {
  try {
    await secrets.setPassword(KEYCHAIN_SERVICE, LOCK_TEST_ACCOUNT, 'unlocked');
    await secrets.deletePassword(KEYCHAIN_SERVICE, LOCK_TEST_ACCOUNT);
  } catch (error) {
    throw appError('keychain.locked', { details: { reason: reasonOf(error) }, cause: error });
  }
}

async function loadKeytar(platform: string, startProcess: StartKeytar | undefined): Promise<SystemSecrets> {
  if (platform === 'linux') return keytarInProcess(startProcess);
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

/** The library's errors have no code, and their texts differ by system: the text is kept for reports. */
function unavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return appError('keychain.unavailable', { details: { reason: reasonOf(error) }, cause: error });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

function ignore(): void {}
