import type { History } from '../history.ts';
import type { ServiceTraits, TitleChange } from '../scenario.ts';
import { WORLD_EPOCH_MS } from './virtual-time.ts';

/** The collection of all uploads. */
export const COLLECTION_ID = 'c1';
const ABANDONED_AFTER_MS = 30 * 60_000;

interface StoredFile {
  id: string;
  mediaId: string;
  type: string;
  name: string;
  shownName: string;
  status: 'uploading' | 'processing' | 'complete' | 'error' | 'aborted';
  createdAtMs: number;
  movedAtMs: number;
  token: string;
  contents: string | null;
  bytes: number;
  /** When the delivered bytes are detected without a notification. */
  noticedAtMs: number | null;
  /** When processing ends; null: not scheduled. */
  endsAtMs: number | null;
  willFail: boolean;
}

interface StoredItem {
  id: string;
  /** The requested title. */
  title: string;
  /** The title in the library. */
  shownTitle: string;
  /** Whether a colleague created it. */
  isForeign: boolean;
  collectionId: string;
  tags: string[];
  status: 'draft' | 'published' | 'scheduled';
  /** ISO-8601; null: never published or scheduled. */
  publishOn: string | null;
  createdAtMs: number;
  files: StoredFile[];
  thumbs: StoredFile[];
}

export interface ModelAnswer {
  status: number;
  /** As in the header. */
  date?: string | undefined;
  location?: string;
  retryAfter?: string;
  body: string;
}

/** Decisions that the simulation makes for the model at the moment of an effect. */
export interface Chance {
  processingFails(): boolean;
  processingHangs(): boolean;
  storesShort(): boolean;
}

const COLLECTIONS = [
  { id: COLLECTION_ID, display_name: 'Lectures', slug: 'lectures' },
  { id: 'c2', display_name: 'Interviews', slug: 'interviews' },
];
const NOT_FOUND: ModelAnswer = { status: 404, body: '{"message":"There is nothing of that kind."}' };
const json = (status: number, value: unknown): ModelAnswer => ({ status, body: JSON.stringify(value) });

/** A model of the library service in memory, with the rules of the API that concern uploads. */
export class ServiceModel {
  readonly #site: string;
  readonly #traits: ServiceTraits;
  readonly #history: History;
  readonly #now: () => number;
  readonly #chance: Chance;
  readonly #items = new Map<string, StoredItem>();
  readonly #byToken = new Map<string, StoredFile>();
  #count = 0;

  constructor(site: string, traits: ServiceTraits, history: History, now: () => number, chance: Chance) {
    this.#site = site;
    this.#traits = traits;
    this.#history = history;
    this.#now = now;
    this.#chance = chance;
  }

  get items(): StoredItem[] {
    for (const item of this.#items.values()) for (const file of item.files) this.#settle(file);
    return [...this.#items.values()];
  }

  /** Answers one request of the API. */
  answer(method: string, url: URL, body: unknown): ModelAnswer {
    const date = this.#traits.hidesItsClock ? undefined : new Date(this.#wall(this.#now())).toUTCString();
    return { ...this.#answer(method, url, body), date };
  }

  #answer(method: string, url: URL, body: unknown): ModelAnswer {
    const [, root, first, id, second, fileId] = url.pathname.split('/');
    if (root === 'done') return this.#told(first ?? '');
    if (first === 'oauth') return json(200, {});
    if (first === 'collections') return this.#collections(id);
    if (id === undefined) return method === 'POST' ? this.#createItem(body) : this.#list(url);
    if (id === 'count') return json(200, { count: this.#items.size });
    const item = this.#items.get(id);
    if (!item) return method === 'DELETE' ? { status: 204, body: '' } : NOT_FOUND;
    if (second === 'files' && fileId !== undefined) return this.#answerFile(method, item, fileId);
    if (second === undefined) return method === 'DELETE' ? this.#deleteItem(item) : json(200, this.#viewItem(item));
    if (second === 'publish') return this.#publish(item, body);
    if (second === 'add-tags') return this.#addTags(item, body);
    if (second === 'thumbs') return json(200, { upload: this.#descriptor(this.#newFile(item, item.thumbs, {})) });
    return method === 'POST' ? this.#createFile(item, url, body) : this.#listFiles(item, url);
  }

  #answerFile(method: string, item: StoredItem, fileId: string): ModelAnswer {
    const file = item.files.find((each) => each.id === fileId);
    if (!file) return NOT_FOUND;
    this.#settle(file);
    return method === 'DELETE' ? this.#deleteFile(item, file) : json(200, viewFile(file));
  }

  /** Returns the status with which a destination answers: 204 when it accepts bytes. */
  destination(token: string): { status: number; fileId: string } {
    const file = this.#byToken.get(token);
    const item = file && this.#items.get(file.mediaId);
    if (!file || !(item?.files.includes(file) || item?.thumbs.includes(file))) return { status: 404, fileId: '' };
    this.#settle(file);
    if (file.status === 'aborted') return { status: 410, fileId: file.id };
    const again = file.contents !== null || file.status !== 'uploading';
    return {
      status: again && !(this.#traits.takesBytesTwice && file.status === 'uploading') ? 409 : 204,
      fileId: file.id,
    };
  }

  /** Some bytes arrived: the placeholder is not abandoned. */
  moved(token: string): void {
    const file = this.#byToken.get(token);
    if (file) file.movedAtMs = this.#now();
  }

  /** A complete form arrived. */
  received(token: string, contents: string, bytes: number): number {
    const { status } = this.destination(token);
    const file = this.#byToken.get(token);
    if (status !== 204 || !file) return status;
    file.contents = contents;
    file.bytes = this.#chance.storesShort() ? bytes - 1 : bytes;
    file.movedAtMs = this.#now();
    if (!this.#traits.postprocess && !this.#ignores(file)) {
      file.noticedAtMs = this.#now() + this.#traits.noticesAfterMs;
    }
    this.#note('bytes-received', file.mediaId, file.id, contents);
    return 204;
  }

  /** A colleague creates an empty draft. */
  draftByOthers(collectionId: string, title: string): void {
    this.#store(title, collectionId, [], true);
  }

  deletedByOthers(mediaId: string): void {
    const item = this.#items.get(mediaId);
    if (!item) return;
    this.#items.delete(mediaId);
    this.#note('item-deleted-by-others', mediaId, null, item.title);
  }

  /** Processing that hung continues. */
  calm(): void {
    for (const item of this.#items.values()) {
      for (const file of item.files) {
        if (file.status === 'processing' && file.endsAtMs === null) file.endsAtMs = this.#now() + 5000;
      }
    }
  }

  /** Returns one collection for uploads and a second one: as a tree, as a list or by their ids. */
  #collections(id: string | undefined): ModelAnswer {
    const isShown = this.#now() >= (this.#traits.collectionFromMs ?? 0);
    const all = isShown ? COLLECTIONS : [];
    if (id === undefined) return json(200, { items: all, links: {} });
    if (id === 'tree') return json(200, { root: { id: '-1', is_podcast: null, children: all } });
    const found = all.find((each) => each.id === id);
    return found === undefined ? NOT_FOUND : json(200, found);
  }

  #createItem(body: unknown): ModelAnswer {
    const { title, collection_id, tags } = body as { title: string; collection_id: string; tags?: string[] };
    const id = this.#store(title, collection_id, this.#traits.losesTags ? [] : (tags ?? []), false);
    this.#note('item-created', id, null, title);
    return { status: 201, location: `/api2/media/${id}`, body: '' };
  }

  #store(title: string, collectionId: string, tags: string[], isForeign: boolean): string {
    const id = `${this.#site}-m${++this.#count}`;
    this.#items.set(id, {
      id,
      title,
      shownTitle: isForeign ? title : changedTitle(title, this.#traits.titles),
      isForeign,
      collectionId,
      tags,
      status: 'draft',
      publishOn: null,
      createdAtMs: this.#now(),
      files: [],
      thumbs: [],
    });
    return id;
  }

  #list(url: URL): ModelAnswer {
    const since = Date.parse(url.searchParams.get('created_after') ?? '1970-01-01T00:00:00Z');
    const { listsAfterMs = 0, hidesDrafts, listsAllTimes } = this.#traits;
    const status = url.searchParams.get('status');
    const found = [...this.#items.values()].filter(
      (item) =>
        item.collectionId === url.searchParams.get('collection_id') &&
        (listsAllTimes === true || seconds(this.#wall(item.createdAtMs)) >= since) &&
        item.createdAtMs + listsAfterMs <= this.#now() &&
        (status === null ? hidesDrafts !== true || item.status !== 'draft' : item.status === status),
    );
    if (url.searchParams.get('order') === 'desc') found.reverse();
    return this.#page(
      url,
      found.map((item) => (url.searchParams.get('joins') === 'files' ? this.#viewJoined(item) : this.#viewItem(item))),
    );
  }

  #listFiles(item: StoredItem, url: URL): ModelAnswer {
    for (const file of item.files) this.#settle(file);
    return this.#page(url, item.files.map(viewFile));
  }

  /** Pages by offset, as in simple services: a deletion in between shifts the rest. */
  #page(url: URL, all: unknown[]): ModelAnswer {
    const from = Number(url.searchParams.get('from') ?? 0);
    const to = from + this.#traits.pageSize;
    const next = new URL(url);
    next.searchParams.set('from', String(to));
    return json(200, {
      items: all.slice(from, to),
      links: { next: to < all.length ? next.pathname + next.search : null },
    });
  }

  #deleteItem(item: StoredItem): ModelAnswer {
    if (!this.#traits.mayDeleteItems) return this.#lacking();
    this.#items.delete(item.id);
    this.#note('item-deleted', item.id, null, item.title);
    return { status: 204, body: '' };
  }

  /** Publishes an item: a future date schedules it; any other date publishes it now. */
  #publish(item: StoredItem, body: unknown): ModelAnswer {
    const now = isoSeconds(this.#wall(this.#now()));
    const { publish_on: asked } = body as { publish_on?: string };
    const isFuture = asked !== undefined && Date.parse(asked) > Date.parse(now);
    item.status = isFuture ? 'scheduled' : 'published';
    if (isFuture) item.publishOn = asked;
    else if (asked !== undefined || item.publishOn === null) item.publishOn = now;
    this.#note('item-published', item.id, null, item.title);
    return { status: 204, body: '' };
  }

  #addTags(item: StoredItem, body: unknown): ModelAnswer {
    item.tags = [...new Set([...item.tags, ...(body as { tags: string[] }).tags])];
    return { status: 204, body: '' };
  }

  #newFile(item: StoredItem, into: StoredFile[], body: { upload_type?: string; upload_name?: string }): StoredFile {
    const id = `${item.id}-f${++this.#count}`;
    const file: StoredFile = {
      id,
      mediaId: item.id,
      type: body.upload_type ?? 'video',
      name: body.upload_name ?? '',
      shownName: changedTitle(body.upload_name ?? '', this.#traits.titles),
      status: 'uploading',
      createdAtMs: this.#now(),
      movedAtMs: this.#now(),
      token: `t${this.#count}`,
      contents: null,
      bytes: 0,
      noticedAtMs: null,
      endsAtMs: null,
      willFail: false,
    };
    into.push(file);
    this.#byToken.set(file.token, file);
    return file;
  }

  #descriptor(file: StoredFile) {
    const tells = this.#traits.postprocess && this.#items.get(file.mediaId)?.files.includes(file);
    return {
      protocols: {
        form_data: {
          upload_url: `https://store.${this.#site}.example/${file.token}`,
          upload_file_param: 'file',
          upload_post_params: {},
          postprocess_url: tells ? `/done/${file.token}` : null,
        },
      },
    };
  }

  #createFile(item: StoredItem, url: URL, body: unknown): ModelAnswer {
    const file = this.#newFile(item, item.files, body as { upload_type?: string; upload_name?: string });
    this.#note('file-created', item.id, file.id, item.title);
    const upload = this.#descriptor(file);
    return {
      status: 201,
      location: `${url.origin}/api2/media/${item.id}/files/${file.id}`,
      body: JSON.stringify({ ...viewFile(file), upload }),
    };
  }

  #deleteFile(item: StoredItem, file: StoredFile): ModelAnswer {
    if (!this.#traits.mayDeleteFiles) return this.#lacking();
    item.files = item.files.filter((each) => each !== file);
    this.#note('file-deleted', item.id, file.id, '');
    return { status: 204, body: '' };
  }

  #told(token: string): ModelAnswer {
    const file = this.#byToken.get(token);
    if (!file || !this.#items.get(file.mediaId)?.files.includes(file)) return NOT_FOUND;
    this.#settle(file);
    if (file.contents === null || file.status !== 'uploading') {
      return json(409, { message: 'This file does not wait for that.' });
    }
    if (!this.#ignores(file)) file.noticedAtMs = this.#now();
    this.#settle(file);
    return { status: 204, body: '' };
  }

  #ignores({ type }: StoredFile): boolean {
    return type === 'captions' && this.#traits.ignoresCaptions === true;
  }

  #lacking(): ModelAnswer {
    return json(this.#traits.lackingStatus, { message: 'You may not do that.' });
  }

  /** Updates a file to its state at the current time. */
  #settle(file: StoredFile): void {
    const now = this.#now();
    if (file.status === 'uploading' && file.noticedAtMs !== null && file.noticedAtMs <= now) {
      file.status = 'processing';
      file.willFail = this.#chance.processingFails();
      file.endsAtMs = this.#chance.processingHangs() ? null : file.noticedAtMs + this.#traits.processingMs;
    }
    if (file.status === 'processing' && file.endsAtMs !== null && file.endsAtMs <= now) {
      file.status = file.willFail ? 'error' : 'complete';
      this.#note(file.willFail ? 'file-error' : 'file-complete', file.mediaId, file.id, file.contents ?? '');
    }
    const since = this.#traits.abandonsSince === 'creation' ? file.createdAtMs : file.movedAtMs;
    const isAbandoned = this.#traits.neverAbandons !== true && now - since >= ABANDONED_AFTER_MS;
    if (file.status === 'uploading' && file.noticedAtMs === null && isAbandoned) {
      file.status = 'aborted';
      this.#note('file-aborted', file.mediaId, file.id, '');
    }
  }

  #viewItem(item: StoredItem) {
    const { id, shownTitle: title, status, publishOn, tags, collectionId } = item;
    const created_on = isoSeconds(this.#wall(item.createdAtMs));
    return { id, title, status, publish_on: publishOn, tags, collection_id: collectionId, created_on };
  }

  /** The files in the form of the service: as a list, in an envelope, or not at all. */
  #viewJoined(item: StoredItem) {
    const { joins = 'none' } = this.#traits;
    for (const file of item.files) this.#settle(file);
    const files = item.files.map(viewFile);
    if (joins === 'none') return this.#viewItem(item);
    return { ...this.#viewItem(item), files: joins === 'array' ? files : { items: files, links: {} } };
  }

  #wall(atMs: number): number {
    return WORLD_EPOCH_MS + atMs + this.#traits.clockAheadMs;
  }

  #note(kind: History['effects'][number]['kind'], mediaId: string, fileId: string | null, text: string): void {
    this.#history.effects.push({ atMs: this.#now(), site: this.#site, kind, mediaId, fileId, text });
  }
}

/** With the template of `Person`, every title is truncated. */
const CUT_AT = 40;

function changedTitle(title: string, change: TitleChange = 'kept'): string {
  switch (change) {
    case 'kept':
      return title;
    case 'trimmed':
      return `  ${title}  `;
    case 'cut':
      return title.slice(0, CUT_AT);
    case 'escaped':
      return title.replace(/&/g, '&amp;').replace(/[ .]/g, (each) => `&#${each.charCodeAt(0)};`);
    case 'upper-case':
      return title.toUpperCase();
    case 'without-blanks':
      return title.replaceAll(' ', '');
    case 'decomposed':
      return title.normalize('NFD');
    case 'untitled':
      return 'New item';
  }
}

function seconds(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}

function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

function viewFile(file: StoredFile) {
  const { id, status, bytes, type, shownName } = file;
  return { id, source: 'upload', type, display_name: shownName, status, size: file.contents === null ? null : bytes };
}
