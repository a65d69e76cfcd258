import type { Api } from '../http/api.ts';

/** The kinds of resources that the suite creates, in the order of their removal. */
const KINDS = ['membership', 'media', 'collection', 'user', 'group', 'role', 'tag'] as const;
export type Kind = (typeof KINDS)[number];

interface Entry {
  kind: Kind;
  /** A unique display name (or a user's address); null for a resource without one. */
  name: string | null;
  /** Null until the creation was answered. */
  path: string | null;
}

/** For each kind of resource that is searched by name when its path is unknown: its list, and the filter for the name. */
const LOOKUPS: Partial<Record<Kind, { path: string; filter: string }>> = {
  collection: { path: '/api2/collections', filter: 'display_name' },
  user: { path: '/api2/users', filter: 'email_address' },
  group: { path: '/api2/groups', filter: 'display_name' },
  role: { path: '/api2/roles', filter: 'display_name' },
  tag: { path: '/api2/tags', filter: 'display_name' },
};

/** Records what was created, or may have been, and removes it. */
export class Registry {
  readonly #entries: Entry[] = [];

  /**
   * To be called before the creation, so that a lost answer leaves nothing behind. Returns a function that records the
   * path or (with null) that nothing was created.
   */
  expect(kind: Kind, name: string | null): (path: string | null) => void {
    const entry: Entry = { kind, name, path: null };
    this.#entries.push(entry);
    return (path) => {
      entry.path = path;
      if (path === null) this.#entries.splice(this.#entries.indexOf(entry), 1);
    };
  }

  /** Removes everything; returns a description of what could not be removed. */
  async removeAll(api: Api): Promise<string[]> {
    const left: string[] = [];
    for (const kind of KINDS) {
      const entries = this.#entries.filter((entry) => entry.kind === kind);
      if (kind === 'collection') await attempt(left, 'media of the suite', () => emptyCollections(api, entries, left));
      for (const entry of entries) {
        await attempt(left, `${kind} ${entry.name ?? entry.path ?? ''}`, async () => {
          for (const path of await pathsOf(api, entry)) await remove(api, path, left);
        });
      }
    }
    return left;
  }
}

async function attempt(left: string[], what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function pathsOf(api: Api, { kind, name, path }: Entry): Promise<string[]> {
  if (path !== null) return [path];
  const lookup = LOOKUPS[kind];
  if (name === null || lookup === undefined) return [];
  const ids = await api.ids(lookup.path, { [lookup.filter]: name });
  return ids.map((id) => `${lookup.path}/${id}`);
}

async function remove(api: Api, path: string, left: string[]): Promise<void> {
  const answer = await api.delete(path);
  if (answer.status !== 204 && answer.status !== 404) left.push(String(answer));
}

/** Removes all media items in the given collections and below, because only empty collections can be removed. */
async function emptyCollections(api: Api, entries: readonly Entry[], left: string[]): Promise<void> {
  for (const entry of entries) {
    for (const path of await pathsOf(api, entry)) {
      const id = path.split('/').at(-1) ?? '';
      for (const each of await withDescendants(api, id)) {
        for (const media of await api.ids('/api2/media', { collection_id: each, per_page: 100 })) {
          await remove(api, `/api2/media/${media}`, left);
        }
      }
    }
  }
}

async function withDescendants(api: Api, id: string): Promise<string[]> {
  const found = [id];
  // The loop also visits the ids that it appends.
  for (const each of found) found.push(...(await api.ids('/api2/collections', { parent_id: each, per_page: 100 })));
  return found;
}
