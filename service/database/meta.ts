import type { Store } from './store.ts';

/** The key of the epoch (`site/epoch.ts`). */
export const EPOCH_KEY = 'library_epoch';

/** Reads a value of the site, such as its settings; undefined when none was written for this key. */
export async function readMeta(store: Pick<Store, 'get'>, key: string): Promise<string | undefined> {
  return (await store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key))?.value;
}

/** Returns a value of the site, which is `make()` the first time. Of several processes that begin with it, all get the same one. */
export async function readOrWriteMeta(
  store: Pick<Store, 'get' | 'run'>,
  key: string,
  make: () => string,
): Promise<string> {
  const known = await readMeta(store, key);
  if (known !== undefined) return known;
  await store.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING', key, make());
  return (await readMeta(store, key)) ?? readOrWriteMeta(store, key, make);
}

/** Writes a value of the site. */
export async function writeMeta(store: Pick<Store, 'run'>, key: string, value: string): Promise<void> {
  await store.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
