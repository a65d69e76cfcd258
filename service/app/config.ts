import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Store } from '../database/store.ts';
import { saveClient } from '../oauth/clients.ts';
import { secretProblems } from '../oidc/client-secret.ts';
import { type DatabaseConfig, databaseSchema } from '../site/database-settings.ts';
import { settingsPatchSchema } from '../site/settings.ts';
import { type StorageConfig, storageSchema } from '../site/storage-settings.ts';
import { type WorkersConfig, workersSchema } from '../site/workers-settings.ts';
import { parseAddress } from '../wire/web-address.ts';

const clientSchema = z.strictObject({
  id: z.string().min(1).max(100),
  display_name: z.string().min(1).max(100),
  redirect_uris: z
    .array(z.string().min(1).max(500).refine(isRedirectUri, 'must be an absolute URI without a fragment'))
    .min(1)
    .max(20),
  flows: z
    .array(z.enum(['code', 'token']))
    .min(1)
    .default(['code', 'token']),
});

/** A configuration file: any of the settings, OAuth clients to register, where the content is, and who processes files. */
export const configSchema = settingsPatchSchema.extend({
  clients: z.array(clientSchema).optional(),
  storage: storageSchema.optional(),
  workers: workersSchema.optional(),
  database: databaseSchema.optional(),
});

export interface Config {
  settings: z.output<typeof settingsPatchSchema>;
  clients: readonly unknown[];
  /** Where the content is; undefined: in the data directory. It counts at the start only. */
  storage?: StorageConfig | undefined;
  /** The workers that process files; undefined: the service does it alone. It counts at the start only. */
  workers?: WorkersConfig | undefined;
  /** The database on a server; undefined: a file in the data directory. It counts at the start only. */
  database?: DatabaseConfig | undefined;
}

export const NO_CONFIG: Config = { settings: {}, clients: [] };

/** Reads a configuration file. Throws an error with a sentence for the operator when it is invalid. */
export function readConfig(file: string): Config {
  const { clients = [], storage, workers, database, ...settings } = readConfigAs(configSchema, file);
  return { settings, clients, storage, workers, database };
}

/**
 * Reads a configuration file by a schema. Throws an error with a sentence for the operator when it is invalid, or when the secret
 * of a provider can't be read. The error has all problems.
 */
export function readConfigAs<Schema extends z.ZodType>(schema: Schema, file: string): z.output<Schema> {
  const problem = (reason: string) => new Error(`The configuration ${file} cannot be used: ${reason}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw problem(error instanceof Error ? error.message : String(error));
  }
  const result = schema.safeParse(content);
  const missing = secretProblems(content);
  if (result.success && missing.length === 0) return result.data;
  throw problem([...(result.success ? [] : [z.prettifyError(result.error)]), ...missing].join('\n'));
}

/** Registers an OAuth client or replaces its registration. Throws a ZodError when the client is invalid. */
export async function registerClient(store: Store, client: unknown): Promise<void> {
  const { id, display_name, redirect_uris, flows } = clientSchema.parse(client);
  await saveClient(store, { id, displayName: display_name, redirectUris: redirect_uris, flows });
}

/** Checks a redirect URI by the rules of RFC 6749; schemes that a browser runs as a script are refused too. */
function isRedirectUri(text: string): boolean {
  const url = parseAddress(text);
  if (url === undefined || text.includes('#')) return false;
  return !['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'].includes(url.protocol);
}
