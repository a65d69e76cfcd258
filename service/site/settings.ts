import { z } from 'zod';
import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { randomToken } from '../secrets/random-token.ts';
import { isWebAddress, parseAddress } from '../wire/web-address.ts';
import { mailSettings, NO_MAIL } from './mail-settings.ts';
import { providersSchema } from './oidc-settings.ts';

const seconds = z
  .number()
  .int()
  .min(1)
  .max(10 * 365 * 86_400);

const bytes = z.number().int().min(0);
const id = z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id');

/** The settings of an operator. They are stored in the database. */
const settingsSchema = z.strictObject({
  read_only: z.boolean(),
  processing: z.strictObject({
    /** Delay before the processing of each file. */
    delay_ms: z.number().int().min(0).max(3_600_000),
    /** `auto` examines the bytes; the other two decide without examining them. */
    outcome: z.enum(['auto', 'complete', 'error']),
    /** `auto` uses ffprobe and ffmpeg if the PATH has them; `none` reads headers only. */
    tools: z.enum(['auto', 'none']),
    /** Larger originals are probed but not encoded. */
    encode_up_to_bytes: z.number().int().min(0),
  }),
  access_token_s: seconds,
  refresh_token_s: seconds,
  code_s: seconds,
  /** Whether the code flow requires PKCE (S256); all clients are public. null: the dialect decides. */
  require_pkce: z.boolean().nullable(),
  abandoned_minutes: z.number().positive().max(100_000),
  /** Override the values of the dialect; null: the dialect decides. */
  page_size: z.strictObject({
    default: z.number().int().min(1).max(1000).nullable(),
    max: z.number().int().min(1).max(1000).nullable(),
  }),
  cors_origins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://portal.example'))
    .max(100),
  /** The collection of items that are created without a collection_id; null disables the feature. */
  personal_media_collection_id: z.string().nullable(),
  /** Time limits for the headers of a request, and for the JSON body of a call. The first is read at the start only. */
  header_wait_s: z.number().positive().max(3600),
  body_wait_s: z.number().positive().max(3600),
  max_upload_bytes: z.number().int().min(0),
  /** The requests of each user, or of each address that no user is known of, without uploads and downloads; null: no limit. */
  requests_per_minute: z.number().int().min(1).max(1_000_000).nullable(),
  /** The bytes that all files may have, with their encodings; null: no limit. */
  quota_site_bytes: bytes.nullable(),
  /** The bytes that the files of each user may have, unless `quotas` has another number for the user; null: no limit. */
  quota_user_bytes: bytes.nullable(),
  /** The bytes that a collection may have, with its descendants, or the files of a user (null: no limit). */
  quotas: z
    .array(
      z.union([z.strictObject({ collection_id: id, bytes }), z.strictObject({ user_id: id, bytes: bytes.nullable() })]),
    )
    .max(2000)
    .refine(hasNoDouble, 'must have one quota for each collection and each user'),
  /** Whether podcasts that visitors may see have an RSS feed. */
  podcast_feeds: z.boolean(),
  /** The language of pages for browsers that ask for none of the languages, and of mails. */
  language: z.string().max(100),
  /** Days that rows of the audit are kept; 0: without limit. */
  audit_days: z.number().int().min(0).max(36_500),
  /** Receives a notification when the processing of a file has ended; null disables notifications. */
  webhook_url: z.string().max(2000).refine(isPlainWebAddress, 'must be an http(s) address without a user').nullable(),
  /** Signs the notifications. Generated when an URL is set and no secret exists. */
  webhook_secret: z.string().min(16).max(200).nullable(),
  /** The providers that may sign users in, in the order of the sign-in page. */
  oidc_providers: providersSchema,
  ...mailSettings,
});
export type Settings = z.output<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  read_only: false,
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
  requests_per_minute: null,
  quota_site_bytes: null,
  quota_user_bytes: null,
  quotas: [],
  podcast_feeds: false,
  language: 'en',
  audit_days: 400,
  webhook_url: null,
  webhook_secret: null,
  oidc_providers: [],
  ...NO_MAIL,
};

/** A subset of the settings, as a configuration file accepts it. */
export const settingsPatchSchema = settingsSchema.partial().extend({
  processing: settingsSchema.shape.processing.partial().optional(),
  page_size: settingsSchema.shape.page_size.partial().optional(),
});

export interface SettingsHolder {
  current(): Settings;
  /** Changes the given settings. Throws a ZodError for an unknown setting or an invalid value. */
  patch(patch: unknown): Promise<Settings>;
  /** Reads the settings again when another process has changed them. */
  refresh(): Promise<void>;
  onDidChange(listener: (now: Settings, before: Settings) => Promise<void>): void;
}

/** Reads the settings from the database; settings that an older version did not have get their default. */
export async function openSettings(store: Store): Promise<SettingsHolder> {
  // Earlier versions stored two settings of tests with them.
  const stored = settingsPatchSchema.strip();
  const read = async () => {
    const kept = await readMeta(store, 'settings');
    return kept === undefined ? DEFAULT_SETTINGS : merge(DEFAULT_SETTINGS, stored.parse(JSON.parse(kept)));
  };
  let current = await read();
  const listeners: ((now: Settings, before: Settings) => Promise<void>)[] = [];
  return {
    current: () => current,
    async patch(patch) {
      const given = settingsPatchSchema.parse(patch);
      const [before, next] = await store.transaction(async () => {
        const known = await read();
        const merged = merge(known, given);
        await writeMeta(store, 'settings', JSON.stringify(merged));
        await store.afterCommit(() => {
          current = merged;
        });
        return [known, merged] as const;
      });
      for (const listener of listeners) await listener(next, before);
      return next;
    },
    async refresh() {
      if (store.isShared) current = await store.derived('settings', 'settings', read);
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
  const url = parseAddress(text);
  return url !== undefined && isWebAddress(text) && url.username === '' && url.password === '';
}

/**
 * Returns whether a text is an origin that a browser sends. `null` is not accepted, because every sandboxed page and every local
 * file has it.
 */
function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text && text !== 'null';
}

function hasNoDouble(quotas: readonly object[]): boolean {
  const subjects = quotas.map((each) => JSON.stringify({ ...each, bytes: null }));
  return new Set(subjects).size === subjects.length;
}
