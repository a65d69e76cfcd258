import { z } from 'zod';
import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { randomToken } from '../secrets/random-token.ts';

const seconds = z
  .number()
  .int()
  .min(1)
  .max(10 * 365 * 86_400);

/** What an operator (or a test) may set while the service runs. Kept in the database, so it outlives a restart. */
export const settingsSchema = z.strictObject({
  read_only: z.boolean(),
  dialect: z.enum(['reference', 'lean', 'strict']),
  processing: z.strictObject({
    /** Waited before the work on each file. */
    delay_ms: z.number().int().min(0).max(3_600_000),
    /** `auto` looks at the bytes; the other two decide without looking. */
    outcome: z.enum(['auto', 'complete', 'error']),
    /** `auto` uses ffprobe and ffmpeg where the PATH has them; `none` reads headers only. */
    tools: z.enum(['auto', 'none']),
    /** Larger originals are probed but not encoded. */
    encode_up_to_bytes: z.number().int().min(0),
  }),
  access_token_s: seconds,
  refresh_token_s: seconds,
  code_s: seconds,
  /** Whether the code flow needs PKCE (S256): every client is public. Null leaves it to the dialect. */
  require_pkce: z.boolean().nullable(),
  abandoned_minutes: z.number().positive().max(100_000),
  /** Overrides of what the dialect says; null leaves it to the dialect. */
  page_size: z.strictObject({
    default: z.number().int().min(1).max(1000).nullable(),
    max: z.number().int().min(1).max(1000).nullable(),
  }),
  cors_origins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://portal.example'))
    .max(100),
  /** Collection that takes items created without a collection_id; null means that the feature is off. */
  personal_media_collection_id: z.string().nullable(),
  /** How long a request's headers may take, and the JSON body of a call. The first is read at the start only. */
  header_wait_s: z.number().positive().max(3600),
  body_wait_s: z.number().positive().max(3600),
  max_upload_bytes: z.number().int().min(0),
  /** Told when the processing of a file has ended; null means that nobody is told. */
  webhook_url: z.string().max(2000).refine(isPlainWebAddress, 'must be an http(s) address without a user').nullable(),
  /** Signs what is sent there. Made when an address is set and there is none. */
  webhook_secret: z.string().min(16).max(200).nullable(),
  /** Added to the machine's clock; lets a test see deadlines pass. */
  clock_offset_ms: z.number().int(),
});
export type Settings = z.output<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  read_only: false,
  dialect: 'reference',
  processing: { delay_ms: 0, outcome: 'auto', tools: 'auto', encode_up_to_bytes: 512 * 1024 * 1024 },
  access_token_s: 3600,
  refresh_token_s: 90 * 86_400,
  code_s: 300,
  require_pkce: null,
  abandoned_minutes: 30,
  page_size: { default: null, max: null },
  cors_origins: [],
  personal_media_collection_id: null,
  header_wait_s: 30,
  body_wait_s: 60,
  max_upload_bytes: 1024 ** 4,
  webhook_url: null,
  webhook_secret: null,
  clock_offset_ms: 0,
};

/** Some of the settings, as the control port and a configuration file name them. */
export const settingsPatchSchema = settingsSchema.partial().extend({
  processing: settingsSchema.shape.processing.partial().optional(),
  page_size: settingsSchema.shape.page_size.partial().optional(),
});

export interface SettingsHolder {
  current(): Settings;
  /** Changes what the patch names. Throws a ZodError for anything unknown or out of range. */
  patch(patch: unknown): Settings;
  onDidChange(listener: (now: Settings, before: Settings) => void): void;
}

/** Reads the settings kept in the database; fields that an older version did not know take their default. */
export function openSettings(store: Store): SettingsHolder {
  const kept = readMeta(store, 'settings');
  let current = kept ? merge(DEFAULT_SETTINGS, settingsPatchSchema.parse(JSON.parse(kept))) : DEFAULT_SETTINGS;
  const listeners: ((now: Settings, before: Settings) => void)[] = [];
  return {
    current: () => current,
    patch(patch) {
      const before = current;
      const next = merge(before, settingsPatchSchema.parse(patch));
      writeMeta(store, 'settings', JSON.stringify(next));
      current = next;
      for (const listener of listeners) listener(next, before);
      return next;
    },
    onDidChange: (listener) => void listeners.push(listener),
  };
}

function merge(base: Settings, patch: z.output<typeof settingsPatchSchema>): Settings {
  const merged = {
    ...base,
    ...patch,
    processing: { ...base.processing, ...patch.processing },
    page_size: { ...base.page_size, ...patch.page_size },
  };
  const secret = merged.webhook_url === null ? merged.webhook_secret : (merged.webhook_secret ?? randomToken(24));
  return { ...merged, webhook_secret: secret };
}

function isPlainWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Not `null`, which every sandboxed page and every local file has, and nothing that no browser sends. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text !== 'null';
}
