import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { OptionValues } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { applicationData } from './profile-folder.ts';

/** The options that can have a default, with the environment variable of each. */
export const VARIABLES = {
  profile: 'MEDIADESK_PROFILE',
  keychain: 'MEDIADESK_KEYCHAIN',
  'passphrase-file': 'MEDIADESK_PASSPHRASE_FILE',
  site: 'MEDIADESK_SITE',
  account: 'MEDIADESK_ACCOUNT',
} as const;

type DefaultOption = keyof typeof VARIABLES;
const OPTIONS = Object.keys(VARIABLES) as DefaultOption[];
/** Options whose value is a path; in the file, it starts at the folder of the file. */
const PATHS: ReadonlySet<string> = new Set(['profile', 'passphrase-file']);

const FILE = 'mediadesk-cli.json';
const fileSchema = z.strictObject(
  Object.fromEntries(OPTIONS.map((option) => [option, z.string().min(1).optional()])) as Record<
    DefaultOption,
    z.ZodOptional<z.ZodString>
  >,
);

export interface DefaultsQuestion {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  homeDir: string;
}

/**
 * Returns the values of options that the environment or the configuration file gives; a variable comes before the file. The file
 * is `MEDIADESK_CONFIG`, otherwise `mediadesk-cli.json` in the system's folder for configuration. Throws `UsageError` when it can't
 * be read or has other members.
 */
export function readOptionDefaults({ env, platform, homeDir }: DefaultsQuestion = systemDefaults()): OptionValues {
  const chosen = env.MEDIADESK_CONFIG;
  const path = chosen ? resolve(chosen) : join(applicationData(platform, env, homeDir), FILE);
  const file = readConfiguration(path, chosen !== undefined && chosen !== '');
  const values: OptionValues = {};
  for (const option of OPTIONS) {
    const value = env[VARIABLES[option]] || file[option];
    if (value) values[option] = value;
  }
  return values;
}

function systemDefaults(): DefaultsQuestion {
  return { env: process.env, platform: process.platform, homeDir: homedir() };
}

function readConfiguration(path: string, isRequired: boolean): Partial<Record<DefaultOption, string>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!isRequired && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`The configuration file can’t be read: ${(error as Error).message}.`);
  }
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (!parsed.success) {
    throw new UsageError(`The configuration file ${path} isn’t valid. Use a JSON object with ${OPTIONS.join(', ')}.`);
  }
  const inFolder = (option: string, value: string) => (PATHS.has(option) ? resolve(dirname(path), value) : value);
  return Object.fromEntries(
    Object.entries(parsed.data).flatMap(([option, value]) =>
      value === undefined ? [] : [[option, inFolder(option, value)]],
    ),
  );
}

/** Returns the value of a JSON text; null when it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
