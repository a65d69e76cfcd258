import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError, type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { createEngine, createEngineOnCopy } from '../../engine/create-engine.ts';
import type { Engine, EngineHost } from '../../engine/engine.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import type { Keychain } from '../../engine/ports/keychain.ts';
import { silentLogger } from '../../engine/ports/logger.ts';
import { createFileKeychain } from '../../engine/ports/system/keychain-file.ts';
import { createMemoryKeychain } from '../../engine/ports/system/keychain-memory.ts';
import { createSystemKeychain, probeSystemKeychain } from '../../engine/ports/system/keychain-system.ts';
import { nodeClock } from '../../engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../engine/ports/system/node-random.ts';
import { trashFile } from '../../engine/ports/system/trash-freedesktop.ts';
import type { GlobalOptions } from '../arguments/global-options.ts';
import { hasTrash } from '../arguments/upload-options.ts';
import { standardLogger, standardQuestion } from '../output/standard-streams.ts';
import { passphraseFileProblem, readPassphrase } from './passphrase.ts';
import { chooseProfileFolder } from './profile-folder.ts';
import { VERSION } from './version.ts';

/** The file of `--keychain file`, in the profile folder. */
export const KEYCHAIN_FILE = 'sign-ins.sealed';

export interface SessionOptions {
  globals: GlobalOptions;
  /** Opens the sign-in page; only `sign-in` needs one. */
  opener: BrowserOpener | null;
  /** The caller only reads: beside another process that uses the profile, it gets a copy of the queue. */
  onlyReads?: boolean;
  /** Called with a problem that does not prevent the work. */
  onNotice(notice: AppErrorData): void;
}

export interface Session {
  engine: Engine;
  /** Whether another process works on the profile, and the engine is on a copy. */
  isElsewhere: boolean;
}

async function openKeychain({ globals, onNotice }: SessionOptions, profileDir: string): Promise<Keychain> {
  if (globals.keychain === 'memory') return createMemoryKeychain();
  if (globals.keychain === 'system') return createSystemKeychain({ clock: nodeClock });
  const file = globals.passphraseFile;
  const problem = file === null ? null : passphraseFileProblem(file, process);
  if (problem !== null) onNotice(problem.toData());
  const passphrase = await readPassphrase({
    fd: globals.passphraseFd,
    file: globals.passphraseFile,
    env: process.env,
    ask: standardQuestion(),
  });
  return createFileKeychain({ path: join(profileDir, KEYCHAIN_FILE), passphrase, random: nodeRandom });
}

/** Returns the profile folder of a command line. */
export function profileDirOf(globals: GlobalOptions): string {
  return chooseProfileFolder({
    chosen: globals.profileDir,
    env: process.env,
    platform: process.platform,
    homeDir: homedir(),
    workingDir: process.cwd(),
  });
}

/** Opens the engine on this profile; its uploads are not started. The caller stops it in a `finally`. */
export async function openEngine(options: SessionOptions): Promise<Session> {
  const { globals, opener, onlyReads = false } = options;
  const profileDir = profileDirOf(globals);
  const keychain = await openKeychain(options, profileDir);
  if (opener !== null && keychain.kind === 'system') await requireWorkingKeychain(keychain);
  const host: EngineHost = {
    profileDir,
    version: VERSION,
    platform: process.platform,
    clock: nodeClock,
    random: nodeRandom,
    keychain,
    logger: globals.verbose ? standardLogger() : silentLogger,
    trash: hasTrash(process.platform) ? trashFile : null,
    openers: { embedded: null, system: opener },
    presets: { baseUrl: '', clientId: '' },
  };
  try {
    return { engine: await createEngine(host), isElsewhere: false };
  } catch (error) {
    if (!onlyReads || !(error instanceof AppError) || error.code !== 'profile.in-use') throw error;
    return { engine: await createEngineOnCopy(host), isElsewhere: true };
  }
}

/** Throws `keychain.unavailable` when the keychain does not work: a sign-in would then be lost when this command ends. */
async function requireWorkingKeychain(keychain: Keychain): Promise<void> {
  const problem = await probeSystemKeychain(keychain, nodeRandom);
  if (problem === null) return;
  throw appError('keychain.unavailable', {
    message:
      'Mediadesk found no keychain on this computer. Use “--keychain file” to store your sign-in in a file protected by a passphrase.',
    details: problem.details ?? {},
    cause: problem,
  });
}
