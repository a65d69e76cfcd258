// A profile of the command line that is signed in to a service, for tests that run commands one after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { SignInTarget } from '../service/service-sign-in.ts';
import { type CliResult, type CliRun, runCli, sealAtLowCost, signInCli, startCli } from './cli.ts';

/** The environment that opens the sign-in file of every profile below. */
export const PASSPHRASE_ENV = { MEDIADESK_PASSPHRASE: 'correct horse' };

export interface CliProfile {
  /** A temporary folder for the files of the test. */
  folder: string;
  /** The profile, inside of the folder. */
  profile: string;
  /** The options that name the profile and its sign-in file. */
  keys: readonly string[];
  /** Runs `mediadesk ARGS` with the profile to its end. */
  run(...args: string[]): Promise<CliResult>;
  /** Starts `mediadesk ARGS` with the profile. */
  start(...args: string[]): CliRun;
  /** Signs in as the administrator. Throws when the command fails. */
  signIn(): Promise<void>;
  /** Removes the folder. */
  close(): Promise<void>;
}

/** Creates a profile in a new folder and signs in to the service. */
export async function openCliProfile(service: SignInTarget): Promise<CliProfile> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-cli-'));
  const profile = join(folder, 'profile');
  const keys = ['--profile', profile, '--keychain', 'file'];
  const options = { env: PASSPHRASE_ENV };
  const signIn = async () => {
    const { code, stderr } = await signInCli(service, keys, 'approve', options);
    if (code !== 0) throw new Error(`The sign-in ended with ${code}: ${stderr}`);
  };
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await sealAtLowCost(profile, PASSPHRASE_ENV.MEDIADESK_PASSPHRASE);
    await signIn();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder,
    profile,
    keys,
    signIn,
    close,
    run: (...args) => runCli([...args, ...keys], options),
    start: (...args) => startCli([...args, ...keys], options),
  };
}

/** Returns the error that a command with `--json` wrote last. */
export function errorOf({ stderr }: CliResult): AppErrorData {
  return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: AppErrorData }).error;
}
