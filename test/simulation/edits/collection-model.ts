import type { Collection } from '../../../shared/api/collections.ts';
import { PODCAST_FIELDS, type PodcastField } from '../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import type { ModelAnswer } from '../world/service-model.ts';
import type { CollectionEffectFact, KnownCollectionValues } from './edit-history.ts';
import type { LibraryTraits } from './edit-scenario.ts';

interface StoredCollection {
  id: string;
  /** null: the root. */
  parentId: string | null;
  display_name: string;
  slug: string;
  description: string;
  is_podcast: boolean;
  podcast: Partial<Record<PodcastField, string>>;
}

/** What the collections need from the rest of the library. */
export interface CollectionHost {
  traits: LibraryTraits;
  /** The number of items in these collections. */
  itemsIn(ids: ReadonlySet<string>): number;
  /** Whether the account has lost its rights to change anything. */
  hasNoRights(site: string): boolean;
  /** Whether the tree for this account leaves out this collection now. */
  leavesOut(site: string, id: string): boolean;
  /** Called when the rights of an account change, or when a collection moves. */
  onHidden(): void;
  lacking(): ModelAnswer;
  /** Called when a request contains a local id, which only its program knows. */
  onLocalId(site: string, id: string): void;
  /** Called when a request contains null where the API has a text. */
  onNull(site: string, field: string): void;
  onEffect(fact: Omit<CollectionEffectFact, 'atMs' | 'library'>): void;
}

const TEXT_FIELDS = ['display_name', 'slug', 'description'] as const;
export type CollectionChange = Partial<
  Record<(typeof TEXT_FIELDS)[number] | PodcastField | 'parentId', string> & { is_podcast: boolean }
>;

const json = (status: number, value: unknown): ModelAnswer => ({ status, body: JSON.stringify(value) });
const GONE: ModelAnswer = { status: 404, body: '{"message":"There is nothing of that kind."}' };
const refusal = (status: number, message: string): ModelAnswer => json(status, { message });

/** The collections of a simulated library, with the rules of the API. */
export class CollectionModel {
  readonly #host: CollectionHost;
  readonly #all = new Map<string, StoredCollection>();
  /** Collections that an account must not see, with everything in them, as `site id`. */
  readonly #hidden = new Set<string>();
  #lastId = 0;

  constructor(host: CollectionHost) {
    this.#host = host;
    for (const parentId of [null, '1', '1']) {
      const id = this.#nextId();
      this.#all.set(id, blankCollection(id, parentId, `Collection ${id}`, `c${id}`));
    }
  }

  get ids(): string[] {
    return [...this.#all.keys()];
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  /** Takes the rights to a collection, and to everything in it, from an account, or gives them back. */
  hide(site: string, id: string, isHidden: boolean): void {
    if (isHidden) this.#hidden.add(`${site} ${id}`);
    else this.#hidden.delete(`${site} ${id}`);
    this.#host.onHidden();
  }

  /** Whether an account lacks the rights to a collection, or to one above it. */
  isHidden(site: string, id: string): boolean {
    if (this.#hidden.size === 0) return false;
    for (let at: string | null = id; at !== null; at = this.#all.get(at)?.parentId ?? null)
      if (this.#hidden.has(`${site} ${at}`)) return true;
    return false;
  }

  /** The collections that an account sees, as text by id. */
  textsFor(site: string): Record<string, string> {
    const visible = [...this.#all.values()].filter(({ id }) => !this.isHidden(site, id));
    return Object.fromEntries(
      visible.map(({ id, parentId, display_name, slug, is_podcast }) => [
        id,
        JSON.stringify([parentId, display_name, slug, is_podcast]),
      ]),
    );
  }

  valueOf(id: string, field: string): string {
    const found = this.#all.get(id);
    return found === undefined ? '' : textOf(found, field);
  }

  answer(site: string, method: string, url: URL, body: unknown, known: KnownCollectionValues | null): ModelAnswer {
    const [, , , id, action] = url.pathname.split('/');
    if (id === 'tree') return json(200, { root: this.#treeFor(site, url.searchParams) });
    if (id === undefined) return method === 'POST' ? this.#create(site, body) : this.#page(site, url);
    if (id.startsWith('local')) this.#host.onLocalId(site, id);
    const found = this.#all.get(id);
    if (this.isHidden(site, id)) return this.#host.lacking();
    if (method === 'DELETE') return this.#delete(site, id);
    if (found === undefined) return GONE;
    if (action === 'thumbs') return json(200, { items: [] });
    if (method === 'GET') return action === undefined ? json(200, this.#wireOf(found)) : podcastOf(found);
    if (this.#host.hasNoRights(site)) return this.#host.lacking();
    const given = (body ?? {}) as Record<string, string>;
    if (action === 'move') return this.#move(site, found, given.new_parent_id ?? '', known);
    if (action === 'podcast-details' && !found.is_podcast) return refusal(400, 'It is no podcast.');
    const { slug } = given;
    if (slug !== undefined && this.#isTaken(slug, id)) return refusal(409, 'The slug is taken.');
    this.change(site, id, given as CollectionChange, known);
    return json(200, {});
  }

  /** Creates a collection, as a request or a person in the browser does. Returns its id. */
  add(by: string, parentId: string, name: string, over: Partial<StoredCollection> = {}): string {
    const id = this.#nextId();
    const slug = this.#isTaken(name.toLowerCase()) ? `${name.toLowerCase()}-${id}` : name.toLowerCase();
    this.#all.set(id, { ...blankCollection(id, parentId, name, slug), ...over });
    this.#host.onEffect({ by, id, field: 'item', before: 'no', after: name, known: null });
    const added = this.#all.get(id) as StoredCollection;
    for (const field of [...TEXT_FIELDS, 'is_podcast', 'parent']) {
      this.#host.onEffect({ by, id, field, before: '', after: textOf(added, field), known: null });
    }
    this.#host.onHidden();
    return id;
  }

  change(by: string, id: string, change: CollectionChange, known: KnownCollectionValues | null = null): void {
    const before = this.#all.get(id);
    if (before === undefined) return;
    const after: StoredCollection = { ...before, podcast: { ...before.podcast } };
    for (const field of TEXT_FIELDS) {
      const value = change[field];
      if (value === null) this.#host.onNull(by, field);
      if (value !== undefined) after[field] = this.#rewritten(field, value ?? '');
    }
    for (const field of PODCAST_FIELDS) {
      const value = change[field];
      if (value !== undefined) after.podcast[field] = value ?? '';
    }
    if (change.is_podcast !== undefined) after.is_podcast = change.is_podcast;
    if (change.parentId !== undefined) after.parentId = change.parentId;
    this.#all.set(id, after);
    for (const field of [...TEXT_FIELDS, ...PODCAST_FIELDS, 'is_podcast', 'parent']) {
      const [was, is] = [textOf(before, field), textOf(after, field)];
      if (was !== is) this.#host.onEffect({ by, id, field, before: was, after: is, known });
    }
    this.#host.onHidden();
  }

  /** Whether a collection can be moved there: not below itself. */
  canMove(id: string, parentId: string): boolean {
    return this.#all.has(parentId) && !this.#below(id).has(parentId) && this.#all.get(id)?.parentId !== null;
  }

  /** Removes an empty collection with all below it; returns whether it could. */
  remove(by: string, id: string): boolean {
    const below = this.#below(id);
    if (this.#all.get(id)?.parentId === null || this.#host.itemsIn(below) > 0) return false;
    for (const each of [...below].reverse()) {
      if (!this.#all.delete(each)) continue;
      this.#host.onEffect({ by, id: each, field: 'item', before: 'yes', after: 'no', known: null });
    }
    return true;
  }

  #create(site: string, body: unknown): ModelAnswer {
    const given = (body ?? {}) as Record<string, string> & { is_podcast?: boolean };
    const parentId = String(given.parent_id ?? '');
    if (parentId.startsWith('local')) this.#host.onLocalId(site, parentId);
    if (this.#host.hasNoRights(site)) return this.#host.lacking();
    if (!this.#all.has(parentId)) return GONE;
    if (this.isHidden(site, parentId)) return this.#host.lacking();
    if (given.slug !== undefined && this.#isTaken(given.slug)) return refusal(409, 'The slug is taken.');
    const name = this.#rewritten('display_name', given.display_name ?? '');
    const over = {
      ...(given.slug === undefined ? {} : { slug: given.slug }),
      ...(given.description === undefined ? {} : { description: this.#rewritten('description', given.description) }),
      is_podcast: given.is_podcast === true,
    };
    return json(201, { id: this.add(site, parentId, name, over) });
  }

  #move(site: string, { id }: StoredCollection, to: string, known: KnownCollectionValues | null): ModelAnswer {
    if (to.startsWith('local')) this.#host.onLocalId(site, to);
    if (this.isHidden(site, to)) return this.#host.lacking();
    if (!this.canMove(id, to)) return refusal(403, 'Not there.');
    this.change(site, id, { parentId: to }, known);
    return json(200, {});
  }

  #delete(site: string, id: string): ModelAnswer {
    if (this.#host.hasNoRights(site)) return this.#host.lacking();
    if (!this.#all.has(id)) return { status: 204, body: '' };
    if (this.#all.get(id)?.parentId === null) return refusal(403, 'Not the root.');
    if ([...this.#below(id)].some((each) => this.isHidden(site, each))) return this.#host.lacking();
    return this.remove(site, id) ? { status: 204, body: '' } : refusal(409, 'It contains media.');
  }

  #page(site: string, url: URL): ModelAnswer {
    const query = url.searchParams;
    const parentId = query.get('parent_id');
    const name = query.get('display_name');
    const found = [...this.#all.values()].filter(
      (each) =>
        (parentId === null || each.parentId === parentId) &&
        (name === null || each.display_name === name) &&
        !this.isHidden(site, each.id),
    );
    const page = Number(query.get('_p') ?? '1');
    const size = this.#host.traits.pageSize;
    const next = new URLSearchParams(query);
    next.set('_p', String(page + 1));
    return json(200, {
      items: found.slice((page - 1) * size, page * size).map((each) => this.#wireOf(each)),
      links: { self: null, prev: null, next: page * size < found.length ? `${url.pathname}?${next}` : null },
    });
  }

  #treeFor(site: string, query: URLSearchParams): unknown {
    const isRestricted = query.get('permission') !== null && this.#host.hasNoRights(site);
    const node = (collection: StoredCollection): unknown => ({
      id: collection.id,
      display_name: collection.display_name,
      is_podcast: collection.is_podcast,
      slug: collection.slug,
      media_count: this.#host.itemsIn(new Set([collection.id])),
      children: [...this.#all.values()]
        .filter(({ parentId }) => parentId === collection.id && !isRestricted)
        .filter(({ id }) => !this.#host.leavesOut(site, id) && !this.isHidden(site, id))
        .map(node),
    });
    return node(this.#all.get('1') as StoredCollection);
  }

  #wireOf({ id, parentId, podcast: _, ...values }: StoredCollection): unknown {
    const count = this.#host.itemsIn(new Set([id]));
    return { id, parent_id: parentId, ...values, description_plain: values.description, media_count: count, links: {} };
  }

  /** A collection with all below it, itself first. */
  #below(id: string): Set<string> {
    const found = new Set([id]);
    for (const at of found) for (const each of this.#all.values()) if (each.parentId === at) found.add(each.id);
    return found;
  }

  #isTaken(slug: string, exceptId = ''): boolean {
    return [...this.#all.values()].some((each) => each.slug === slug && each.id !== exceptId);
  }

  #rewritten(field: string, value: string): string {
    const { rewrites } = this.#host.traits;
    if (rewrites === 'blanks') return value.trim();
    if (rewrites === 'html' && field === 'description')
      return value.replaceAll('<b>', '<strong>').replaceAll('</b>', '</strong>');
    return value;
  }

  #nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }
}

function podcastOf({ is_podcast, podcast }: StoredCollection): ModelAnswer {
  if (!is_podcast) return refusal(400, 'It is no podcast.');
  return json(200, Object.fromEntries(PODCAST_FIELDS.map((field) => [field, podcast[field] ?? null])));
}

function blankCollection(id: string, parentId: string | null, name: string, slug: string): StoredCollection {
  return { id, parentId, display_name: name, slug, description: '', is_podcast: false, podcast: {} };
}

/** Returns a value of a collection as text. */
function textOf(collection: StoredCollection, field: string): string {
  if (field === 'parent') return collection.parentId ?? '';
  if (field === 'is_podcast') return String(collection.is_podcast);
  const own = TEXT_FIELDS.find((each) => each === field);
  return own === undefined ? (collection.podcast[field as PodcastField] ?? '') : collection[own];
}

/** The values that a dialog shows, as text. */
export function valuesOf(collection: Collection): Record<string, string> {
  const { display_name, slug, description, is_podcast, parent_id } = collection;
  const parent = parent_id ?? '';
  return { display_name, slug, description: description ?? '', is_podcast: String(is_podcast), parent };
}

export function podcastValuesOf(details: PodcastDetails): Record<string, string> {
  return Object.fromEntries(Object.entries(details).map(([field, value]) => [field, value ?? '']));
}
