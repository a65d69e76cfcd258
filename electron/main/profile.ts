import { join, resolve } from 'node:path';

/** The folder's name below the platform's folder for application data; the command line uses the same. */
const DEFAULT_FOLDER = 'mediadesk';

export interface ShellProfileQuestion {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The platform's folder for application data: `~/.config`, `%APPDATA%`, `~/Library/Application Support`. */
  appDataDir: string;
  workingDir: string;
}

/**
 * Returns the profile folder of this run: `--profile DIR` (or `--profile=DIR`), otherwise `MEDIADESK_PROFILE`, otherwise the
 * default. Relative folders start at the working directory.
 */
export function chooseProfileDir({ argv, env, appDataDir, workingDir }: ShellProfileQuestion): string {
  const joined = argv.find((argument) => argument.startsWith('--profile='))?.slice('--profile='.length);
  const position = argv.indexOf('--profile');
  const separate = position >= 0 ? argv[position + 1] : undefined;
  const chosen = joined || separate || env.MEDIADESK_PROFILE;
  return chosen ? resolve(workingDir, chosen) : join(appDataDir, DEFAULT_FOLDER);
}
