import { withChanges } from '../../../../shared/model/keep-unknown.ts';
import { storedJson, storedText } from './stored-json.ts';

type Draft = Readonly<Record<string, unknown>>;

interface StoredDraftsOptions<T> {
  /** The name in the storage of the window. */
  name: string;
  /** The maximum number of stored drafts. */
  most: number;
  /** Returns the part of a stored draft that this version understands; null: no part of it. */
  read: (stored: Readonly<Record<string, unknown>>) => T | null;
}

/**
 * Unsaved edits on this computer, by account and item (`site/item`), the latest last. Another version of Mediadesk may have
 * stored some of them: fields and entries that this version doesn't understand stay stored until their account is signed out.
 * Before a stored text that is no list is replaced, it is copied to the same name with `.unreadable` appended.
 */
export class StoredDrafts<T extends Draft> {
  readonly #options: StoredDraftsOptions<T>;
  #drafts: Map<string, T> | null = null;

  constructor(options: StoredDraftsOptions<T>) {
    this.#options = options;
  }

  /** The drafts in memory; `write` stores them. */
  get drafts(): Map<string, T> {
    this.#drafts ??= this.valid(storedJson(this.#options.name));
    return this.#drafts;
  }

  /** Returns the valid drafts in stored data, whatever version of the app wrote the data. */
  valid(stored: unknown): Map<string, T> {
    const result = new Map<string, T>();
    for (const entry of Array.isArray(stored) ? stored : []) {
      const draft = isEntry(entry) ? this.#options.read(entry[1]) : null;
      if (draft !== null) result.set(entry[0], draft);
    }
    return result;
  }

  /** Replaces the draft of an item and makes it the latest; null removes the draft. */
  set(key: string, draft: T | null): void {
    this.drafts.delete(key);
    if (draft !== null) this.drafts.set(key, draft);
  }

  /** Removes all drafts of an account, including drafts that this version doesn't understand, and stores the remaining ones. */
  removeAccount(siteId: string): void {
    const isOfAccount = (key: string) => key.startsWith(`${siteId}/`);
    for (const key of [...this.drafts.keys()].filter(isOfAccount)) this.drafts.delete(key);
    const copy = this.#copyName();
    if (storedText(copy)?.includes(siteId)) localStorage.removeItem(copy);
    // An entry of an unknown form may belong to this account when it contains the id of the account.
    this.write((entry) => (isEntry(entry) ? !isOfAccount(entry[0]) : !JSON.stringify(entry).includes(siteId)));
  }

  /** Stores the drafts. `keeps`: which stored entries may stay. */
  write(keeps: (stored: unknown) => boolean = () => true): void {
    const { name, most } = this.#options;
    const text = storedText(name);
    const stored = storedJson(name);
    const entries = Array.isArray(stored) ? stored.filter(keeps) : [];
    const drafts = [...this.drafts].slice(-most);
    if (text !== null && !Array.isArray(stored)) keepCopy(this.#copyName(), text);
    // When the storage is full, only the latest drafts are kept.
    for (let count = drafts.length; count >= 0; count = count > 1 ? Math.floor(count / 2) : count - 1) {
      try {
        const written = this.#merged(entries, drafts.slice(drafts.length - count));
        if (written.length === 0) localStorage.removeItem(name);
        else localStorage.setItem(name, JSON.stringify(written));
        return;
      } catch (thrown) {
        console.warn('Edits not kept', thrown);
      }
    }
  }

  /** Returns the entries to store: the drafts, and the parts of stored entries that this version doesn't understand. */
  #merged(stored: readonly unknown[], drafts: readonly (readonly [string, T])[]): unknown[] {
    const before = this.valid(stored);
    const known = drafts.map(([key, draft]) => {
      const raw = stored.findLast((entry) => isEntry(entry) && entry[0] === key) as Entry | undefined;
      return raw === undefined ? [key, draft] : changed(raw, before.get(key) ?? {}, draft);
    });
    const keys = new Set(drafts.map(([key]) => key));
    // The parts that remain of a saved or reverted draft: the fields of another version.
    const left = stored.flatMap((entry) => {
      if (!isEntry(entry) || keys.has(entry[0])) return isEntry(entry) ? [] : [entry];
      const [key, draft] = entry;
      const rest = changed(entry, before.get(key) ?? {}, {});
      return Object.keys(rest[1]).length === 0 && Object.keys(draft).length > 0 ? [] : [rest];
    });
    return [...left, ...known];
  }

  #copyName(): string {
    return `${this.#options.name}.unreadable`;
  }
}

/** Stores a copy of a text that this version can't read, unless the storage has no room for it. */
function keepCopy(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch (thrown) {
    console.warn('No copy of stored edits kept', thrown);
  }
}

/** A key, a draft, and further elements that other versions may add. */
type Entry = [key: string, draft: Record<string, unknown>, ...rest: unknown[]];

function isEntry(stored: unknown): stored is Entry {
  return Array.isArray(stored) && typeof stored[0] === 'string' && typeof stored[1] === 'object' && stored[1] !== null;
}

function changed([key, raw, ...rest]: Entry, before: Draft, after: Draft): Entry {
  return [key, withChanges(raw, before, after) as Record<string, unknown>, ...rest];
}
