import type { Store } from './store.ts';

/** Reads a value of the site, such as its settings; undefined when none was written for this key. */
export function readMeta(store: Store, key: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

/** Writes a value of the site. */
export function writeMeta(store: Store, key: string, value: string): void {
  store.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
