import type { Store } from './store.ts';

/** The key of the epoch (`site/epoch.ts`). */
export const EPOCH_KEY = 'library_epoch';

/** Reads a value of the site, such as its settings; undefined when none was written for this key. */
export function readMeta(store: Pick<Store, 'get'>, key: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

/** Writes a value of the site. */
export function writeMeta(store: Pick<Store, 'run'>, key: string, value: string): void {
  store.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
