import { posix, win32 } from 'node:path';

/** The folder's name below the platform's folder for application data; the window app uses the same. */
const DEFAULT_FOLDER = 'mediadesk';

export interface CliProfileQuestion {
  /** `--profile`, as typed. */
  chosen: string | null;
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  homeDir: string;
  workingDir: string;
}

/**
 * Returns the profile folder: `--profile`, otherwise `MEDIADESK_PROFILE`, otherwise the folder of the window app, so that both
 * work on the same queue. Relative folders start at the working directory.
 */
export function chooseProfileFolder({ chosen, env, platform, homeDir, workingDir }: CliProfileQuestion): string {
  const path = platform === 'win32' ? win32 : posix;
  const given = chosen || env.MEDIADESK_PROFILE;
  if (given) return path.resolve(workingDir, given);
  return path.join(applicationData(platform, env, homeDir), DEFAULT_FOLDER);
}

/** Returns the platform's folder for the data and configuration of programs. */
export function applicationData(platform: string, env: CliProfileQuestion['env'], homeDir: string): string {
  if (platform === 'win32') return env.APPDATA || win32.join(homeDir, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || posix.join(homeDir, '.config');
}
