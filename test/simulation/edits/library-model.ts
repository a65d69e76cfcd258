import { canonicalTag, canonicalText } from '../../../shared/model/edits/canonical.ts';
import type { EditableMedia } from '../../../shared/model/edits/edit-ops.ts';
import type { ModelAnswer } from '../world/service-model.ts';
import { CollectionModel } from './collection-model.ts';
import type { CollectionEffectFact, EffectFact, KnownCollectionValues, Watched } from './edit-history.ts';
import type { LibraryTraits } from './edit-scenario.ts';

/** Decisions of the simulated world at the moment of an answer. */
export interface LibraryChance {
  /** Whether lists for this account leave out this item now, and whether counts do, too. */
  leavesOut(site: string, itemId: string): boolean;
  countsToo(site: string): boolean;
  /** Whether the account has lost its rights to change anything. */
  hasNoRights(site: string): boolean;
}

/** What happens in a simulated library. */
export interface LibraryListener {
  onEffect(fact: Omit<EffectFact, 'atMs' | 'library'>): void;
  onCollectionEffect(fact: Omit<CollectionEffectFact, 'atMs' | 'library'>): void;
  /** A collection is hidden from an account for the first time. */
  onCollectionHidden(site: string, id: string): void;
  /** A request contains a local id, which only its program knows. */
  onLocalId(site: string, id: string): void;
  /** A request contains null where the API has a text. */
  onNull(site: string, field: string): void;
}

/** What a program had read last of the item and the collection that its request changes. */
export interface KnownState {
  item: EditableMedia | null;
  collection: KnownCollectionValues | null;
}

interface StoredItem extends EditableMedia {
  createdOn: string;
  modifiedOn: string;
  status: 'draft' | 'scheduled' | 'published';
  tags: string[];
}

const LACKING = '{"message":"No."}';
const json = (status: number, value: unknown): ModelAnswer => ({ status, body: JSON.stringify(value) });
const secondsOf = (instant: string) => Math.floor(Date.parse(instant) / 1000);

/** A small model of the library service in memory, with the rules of the API that concern media items. */
export class LibraryModel {
  readonly #name: string;
  readonly #traits: LibraryTraits;
  readonly #nowMs: () => number;
  readonly #chance: LibraryChance;
  readonly #listener: LibraryListener;
  readonly collections: CollectionModel;
  readonly #items = new Map<string, StoredItem>();
  /** Items that an account must not see, as `site id`. */
  readonly #hidden = new Set<string>();
  readonly #everHidden = new Set<string>();
  /** Accounts from which a collection was ever hidden. */
  readonly #sites = new Set<string>();
  #count = 0;
  #changes = 0;

  constructor(
    name: string,
    traits: LibraryTraits,
    nowMs: () => number,
    chance: LibraryChance,
    listener: LibraryListener,
  ) {
    this.#name = name;
    this.#traits = traits;
    this.#nowMs = nowMs;
    this.#chance = chance;
    this.#listener = listener;
    this.collections = new CollectionModel({
      traits,
      itemsIn: (ids) => [...this.#items.values()].filter(({ collectionId }) => ids.has(collectionId)).length,
      hasNoRights: (site) => chance.hasNoRights(site),
      leavesOut: (site, id) => chance.leavesOut(site, id),
      onHidden: () => this.#noteHidden(),
      lacking: () => this.#lacking(),
      onLocalId: (site, id) => listener.onLocalId(site, id),
      onNull: (site, field) => listener.onNull(site, field),
      onEffect: (fact) => listener.onCollectionEffect(fact),
    });
  }

  get name(): string {
    return this.#name;
  }

  get ids(): string[] {
    return [...this.#items.keys()];
  }

  add(by: string, over: Partial<StoredItem> = {}): string {
    this.#count += 1;
    const id = String(this.#count);
    const now = this.#instant();
    this.#items.set(id, {
      id,
      title: `Talk ${id}`,
      byline: '',
      description: '',
      tags: [],
      collectionId: '1',
      status: 'draft',
      publishOn: null,
      createdOn: now,
      modifiedOn: now,
      ...over,
    });
    this.#note(by, id, 'item', 'no', 'yes', null);
    this.#noteHidden();
    return id;
  }

  hide(site: string, id: string, isHidden: boolean): void {
    this.#everHidden.add(`${site} ${id}`);
    if (isHidden) this.#hidden.add(`${site} ${id}`);
    else this.#hidden.delete(`${site} ${id}`);
  }

  /** Hides a collection with everything in it from an account, or shows it again. */
  hideCollection(site: string, id: string, isHidden: boolean): void {
    this.#sites.add(site);
    this.collections.hide(site, id, isHidden);
  }

  #isHidden(site: string, id: string): boolean {
    const within = this.#items.get(id)?.collectionId;
    return this.#hidden.has(`${site} ${id}`) || (within !== undefined && this.collections.isHidden(site, within));
  }

  /** Notes what is hidden now: items and collections can also be moved to a place that an account does not see. */
  #noteHidden(): void {
    for (const site of this.#sites) {
      for (const id of this.#items.keys()) if (this.#isHidden(site, id)) this.#everHidden.add(`${site} ${id}`);
      for (const id of this.collections.ids) {
        const subject = `${site} collection ${id}`;
        if (this.#everHidden.has(subject) || !this.collections.isHidden(site, id)) continue;
        this.#everHidden.add(subject);
        this.#listener.onCollectionHidden(site, id);
      }
    }
  }

  /** Whether an item exists and was never hidden from an account. */
  wasAlwaysVisible(site: string, id: string): boolean {
    return this.#items.has(id) && !this.#everHidden.has(`${site} ${id}`);
  }

  /** Items that an account sees, as text by id. */
  visibleTo(site: string): Record<string, string> {
    return Object.fromEntries(
      [...this.#items.values()]
        .filter(({ id }) => !this.#isHidden(site, id))
        .map((item) => [item.id, textOfItem(this.#arrived(item))]),
    );
  }

  itemFor(site: string, id: string): EditableMedia | null {
    const item = this.#isHidden(site, id) ? undefined : this.#items.get(id);
    return item === undefined ? null : { ...this.#arrived(item), tags: [...item.tags] };
  }

  answer(site: string, method: string, url: URL, body: unknown, known: KnownState): ModelAnswer {
    const answered = this.#answer(site, method, url, body, known);
    return { ...answered, date: new Date(this.#nowMs()).toUTCString() };
  }

  #answer(site: string, method: string, url: URL, body: unknown, state: KnownState): ModelAnswer {
    const known = state.item;
    const [, , resource, id, action] = url.pathname.split('/');
    if (resource === 'collections') return this.collections.answer(site, method, url, body, state.collection);
    if (resource !== 'media') return json(200, {});
    if (id === undefined) return method === 'POST' ? this.#create(site, body) : this.#page(site, url);
    if (id === 'count') {
      const isHonest = !this.#chance.countsToo(site);
      return json(200, { count: this.#listed(site, url.searchParams, isHonest).length });
    }
    const stored = this.#items.get(id);
    const item = stored === undefined ? undefined : this.#arrived(stored);
    if (method === 'DELETE') {
      if (this.#lacksRight(site, id)) return this.#lacking();
      if (item !== undefined) {
        this.#items.delete(id);
        this.#note(site, id, 'item', 'yes', 'no', known);
      }
      return { status: 204, body: '' };
    }
    if (item === undefined) return { status: 404, body: '{"message":"There is nothing of that kind."}' };
    if (this.#isHidden(site, id)) return this.#lacking();
    if (method === 'GET') return json(200, readOf(item, action));
    if (this.#lacksRight(site, id)) return this.#lacking();
    const change = changeOf(action, body);
    const to = change.kind === 'fields' ? change.fields.collectionId : undefined;
    const refused = to === undefined ? null : this.#refusedInto(site, to);
    if (refused !== null) return refused;
    this.change(site, id, change, known);
    return json(200, {});
  }

  /** Why an item can't be in a collection; null when it can. */
  #refusedInto(site: string, collectionId: string): ModelAnswer | null {
    if (collectionId.startsWith('local')) this.#listener.onLocalId(site, collectionId);
    if (!this.collections.has(collectionId)) return json(400, { message: 'There is no such collection.' });
    return this.collections.isHidden(site, collectionId) ? this.#lacking() : null;
  }

  #create(site: string, body: unknown): ModelAnswer {
    const {
      title = '',
      byline = '',
      description = '',
      collection_id: collectionId = '1',
    } = body as Record<string, string>;
    if (this.#chance.hasNoRights(site)) return this.#lacking();
    const refused = this.#refusedInto(site, collectionId);
    if (refused !== null) return refused;
    const tags = (body as { tags?: string[] }).tags ?? [];
    return json(201, { id: this.add(site, { title, byline, description, collectionId, tags }) });
  }

  #lacksRight(site: string, id: string): boolean {
    return this.#chance.hasNoRights(site) || this.#isHidden(site, id);
  }

  #lacking(): ModelAnswer {
    return { status: this.#traits.lackingStatus, body: LACKING };
  }

  /** Changes an item, as a request or a person in the browser does. */
  change(by: string, id: string, change: ItemChange, known: EditableMedia | null = null, isSilent = false): void {
    const stored = this.#items.get(id);
    if (stored === undefined) return;
    const before = this.#arrived(stored);
    const after = this.#changed(before, change);
    if (textOfItem(after) === textOfItem(before)) return;
    const staysBack =
      isSilent || this.#traits.silent === 'all' || (this.#traits.silent === 'tags' && change.kind === 'tags');
    this.#items.set(id, { ...after, ...(staysBack ? {} : { modifiedOn: this.#instantOfChange(stored) }) });
    for (const field of ['title', 'byline', 'description', 'collectionId'] as const) {
      if (after[field] !== before[field]) this.#note(by, id, field, before[field], after[field], known, staysBack);
    }
    const [was, is] = [publicationOf(before), publicationOf(after)];
    if (was !== is) this.#note(by, id, 'publication', was, is, known, staysBack);
    for (const [one, other, to] of [
      [before, after, 'no'],
      [after, before, 'yes'],
    ] as const) {
      for (const tag of one.tags) {
        if (!other.tags.some((each) => canonicalTag(each) === canonicalTag(tag))) {
          this.#note(by, id, `tag ${canonicalTag(tag)}`, to === 'no' ? 'yes' : 'no', to, known, staysBack);
        }
      }
    }
    this.#noteHidden();
  }

  remove(by: string, id: string): void {
    if (this.#items.delete(id)) this.#note(by, id, 'item', 'yes', 'no', null);
  }

  #changed(item: StoredItem, change: ItemChange): StoredItem {
    switch (change.kind) {
      case 'fields':
        return {
          ...item,
          ...Object.fromEntries(
            Object.entries(change.fields).map(([name, value]) => [name, this.#rewritten(name, value)]),
          ),
        };
      case 'tags': {
        const removed = change.remove.map(canonicalTag);
        const kept = item.tags.filter((tag) => !removed.includes(canonicalTag(tag)));
        const has = (tag: string) => kept.some((each) => canonicalTag(each) === canonicalTag(tag));
        for (const tag of change.add) if (!has(tag)) kept.push(tag);
        return { ...item, tags: kept };
      }
      case 'publish': {
        const at = change.at;
        if (at !== null && Date.parse(at) > this.#nowMs()) return { ...item, status: 'scheduled', publishOn: at };
        // A publication can't be backdated: a past date becomes the present one.
        const publishOn = at === null ? (item.publishOn ?? this.#instant()) : this.#instant();
        const status = Date.parse(publishOn) > this.#nowMs() ? 'scheduled' : 'published';
        return { ...item, status, publishOn };
      }
      case 'unpublish':
        return { ...item, status: 'draft' };
    }
  }

  #rewritten(name: string, value: string): string {
    const { rewrites } = this.#traits;
    if (rewrites === 'blanks' && name !== 'collectionId') return value.trim();
    if (rewrites === 'html' && name === 'description')
      return value.replaceAll('<b>', '<strong>').replaceAll('</b>', '</strong>');
    return value;
  }

  /** An item whose publish time has come is published. */
  #arrived(item: StoredItem): StoredItem {
    const isPublic =
      item.status === 'scheduled' && item.publishOn !== null && Date.parse(item.publishOn) <= this.#nowMs();
    return isPublic ? { ...item, status: 'published' } : item;
  }

  #page(site: string, url: URL): ModelAnswer {
    const query = url.searchParams;
    const column = query.get('sort') === 'modified_on' ? 'modifiedOn' : 'createdOn';
    const direction = query.get('order') === 'desc' ? -1 : 1;
    const tie = (one: StoredItem, other: StoredItem) =>
      (Number(one.id) - Number(other.id)) * (column === 'createdOn' ? 1 : -1);
    const sorted = this.#listed(site, query, false).sort(
      (one, other) => direction * (secondsOf(one[column]) - secondsOf(other[column])) || tie(one, other),
    );
    const page = Number(query.get('_p') ?? '1');
    const size = Math.min(this.#traits.pageSize, Number(query.get('per_page') ?? '50'));
    const next = new URLSearchParams(query);
    next.set('_p', String(page + 1));
    const hasMore = page * size < sorted.length;
    return json(200, {
      items: sorted.slice((page - 1) * size, page * size).map(wireOf),
      links: { self: null, prev: null, next: hasMore ? `${url.pathname}?${next}` : null },
    });
  }

  #listed(site: string, query: URLSearchParams, isComplete: boolean): StoredItem[] {
    const limit = (name: string) => (query.get(name) === null ? null : secondsOf(query.get(name) ?? ''));
    const [after, before] = [limit('created_after'), limit('created_before')];
    const margin = this.#traits.isInclusive ? 1 : 0;
    const within = query.get('collection_id')?.split(',');
    return [...this.#items.values()]
      .map((item) => this.#arrived(item))
      .filter(({ id, createdOn, collectionId }) => {
        if (within?.includes(collectionId) === false) return false;
        const created = secondsOf(createdOn);
        const isIn = (after === null || created > after - margin) && (before === null || created < before + margin);
        return isIn && !this.#isHidden(site, id) && (isComplete || !this.#chance.leavesOut(site, id));
      });
  }

  #instant(agoMs = 0): string {
    return `${new Date(this.#nowMs() - agoMs).toISOString().slice(0, 19)}Z`;
  }

  /** Returns the `modified_on` of a change. Some services set it when the change begins, although it becomes visible later. */
  #instantOfChange({ modifiedOn }: StoredItem): string {
    this.#changes += 1;
    const instant = this.#instant(this.#changes % 2 === 0 ? (this.#traits.commitsLateMs ?? 0) : 0);
    return instant < modifiedOn ? modifiedOn : instant;
  }

  #note(
    by: string,
    itemId: string,
    field: EffectFact['field'],
    before: string,
    after: string,
    known: EditableMedia | null,
    isSilent = false,
  ): void {
    this.#listener.onEffect({ by, itemId, field, before, after, known, isSilent });
  }
}

export type ItemChange =
  | { kind: 'fields'; fields: Partial<Record<'title' | 'byline' | 'description' | 'collectionId', string>> }
  | { kind: 'tags'; add: string[]; remove: string[] }
  | { kind: 'publish'; at: string | null }
  | { kind: 'unpublish' };

function changeOf(action: string | undefined, body: unknown): ItemChange {
  const given = (body ?? {}) as Record<string, unknown>;
  const tags = Array.isArray(given.tags) ? (given.tags as string[]) : [];
  if (action === 'add-tags') return { kind: 'tags', add: tags, remove: [] };
  if (action === 'remove-tags') return { kind: 'tags', add: [], remove: tags };
  if (action === 'publish')
    return { kind: 'publish', at: typeof given.publish_on === 'string' ? given.publish_on : null };
  if (action === 'unpublish') return { kind: 'unpublish' };
  const { collection_id: collectionId, title, byline, description } = given as Record<string, string | undefined>;
  const fields = Object.entries({ collectionId, title, byline, description }).filter(
    ([, value]) => value !== undefined,
  );
  return { kind: 'fields', fields: Object.fromEntries(fields) };
}

/** No simulated item has files. */
function readOf(item: StoredItem, action: string | undefined): unknown {
  return action === 'files' ? { items: [], links: {} } : wireOf(item);
}

function wireOf(item: StoredItem): unknown {
  return {
    id: item.id,
    type: 'video',
    status: item.status,
    title: item.title,
    collection_id: item.collectionId,
    created_on: item.createdOn,
    modified_on: item.modifiedOn,
    publish_on: item.publishOn,
    byline: item.byline || null,
    duration: 1,
    duration_hms: '00:00:01',
    comments_count: 0,
    likes_count: 0,
    views_count: 0,
    links: {},
    description: item.description,
    description_plain: item.description,
    tags: item.tags,
  };
}

/** Returns the publication as text: the date of a draft has no effect, and a date that passes is no change. */
export function publicationOf({ status, publishOn }: Pick<EditableMedia, 'status' | 'publishOn'>): string {
  return status === 'draft' ? 'draft' : `public ${publishOn === null ? '' : new Date(publishOn).toISOString()}`;
}

/** Returns a value of an item as text, in the form in which values are compared. */
export function watchedValue(item: EditableMedia, field: Watched): string {
  switch (field) {
    case 'collectionId':
      return item.collectionId;
    case 'publication':
      return publicationOf(item);
    case 'item':
      return 'yes';
    default:
      return canonicalText(field, item[field]);
  }
}

/** All values of an item, for a comparison of whole libraries. */
export function textOfItem(item: EditableMedia): string {
  const { title, byline, description, tags, collectionId, status, publishOn } = item;
  return JSON.stringify([title, byline, description, tags, collectionId, status, publishOn]);
}
