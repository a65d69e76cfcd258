import { createHash } from 'node:crypto';

/** The behavior of this library where the API leaves it open. Times are milliseconds of the library's clock. */
export interface LibrarySettings {
  /** Path of the API's base address, such as `/library`. */
  basePath: string;
  /** Returns the title that the library stores. */
  title(given: string): string;
  /** Returns the id of the nth created object. */
  id(count: number): string | number;
  pageSize: number;
  /** The number of items of other users in the collection at the start. */
  seed: number;
  /** How long a new item is missing from lists. */
  listLagMs: number;
  /** The time for which requests for a new item by its id are answered with 404. */
  readLagMs: number;
  /** The time for which requests for a new file by its id are answered with 404. */
  fileLagMs: number;
  /** Added to every timestamp. */
  clockSkewMs: number;
  /** The time until delivered bytes are detected. */
  noticeMs: number;
  processingMs: number;
  processingEnds: string;
  /** The time after which a placeholder without bytes is abandoned. */
  abandonedMs: number;
  /** Whether the library requires a notification of delivered bytes. */
  notify: 'post' | 'absent' | 'null' | 'empty';
  /** The base address of destinations: an origin and path, to which the file's key is added. */
  destination(origins: Readonly<Record<'site' | 'store' | 'foreign', string>>, key: string): string;
  fileParam: string;
  /** Extra form fields, in their order. */
  fields: readonly (readonly [name: string, value: string])[];
  tokenLifeS: number;
  rotatesTokens: boolean;
}

export const USUAL: LibrarySettings = {
  basePath: '',
  title: (given) => given,
  id: (count) => String(1000 + count),
  pageSize: 50,
  seed: 0,
  listLagMs: 0,
  readLagMs: 0,
  fileLagMs: 0,
  clockSkewMs: 0,
  noticeMs: 0,
  processingMs: 500,
  processingEnds: 'complete',
  abandonedMs: 30 * 60_000,
  notify: 'post',
  destination: ({ store }, key) => `${store}/put/${key}`,
  fileParam: 'file',
  fields: [['key', 'uploads/in']],
  tokenLifeS: 3600,
  rotatesTokens: true,
};

export interface StoredThumb {
  name: string;
  sha256: string;
}

export interface StoredFile {
  id: string | number;
  /** The key of the file in the addresses of its destination and of its notification. */
  key: string;
  name: string;
  /** The number of bytes that the client announced. */
  size: number;
  type: string;
  encodedFromId: string | null;
  createdAt: number;
  bytes: { sha256: string; size: number; name: string; receivedAt: number } | null;
  notifiedAt: number | null;
}

export interface StoredItem {
  id: string | number;
  title: string;
  collectionId: string;
  tags: string[];
  status: string;
  publishOn: string | null;
  createdAt: number;
  /** Whether the library had the item at the start. */
  isSeeded: boolean;
  files: StoredFile[];
  thumbs: StoredThumb[];
}

export interface Destination {
  item: StoredItem;
  /** null for a thumbnail. */
  file: StoredFile | null;
}

export const COLLECTION_ID = '7';

/** A media library in memory, limited to the functions that an uploader needs. */
export class Library {
  readonly settings: LibrarySettings;
  readonly items: StoredItem[] = [];
  readonly destinations = new Map<string, Destination>();
  /** The valid access and refresh tokens, and every token that was ever issued. */
  readonly access = new Set<string>();
  readonly refresh = new Set<string>();
  readonly everyToken = new Set<string>();
  deletedItems = 0;
  deletedFiles = 0;
  #made = 0;
  readonly #now: () => number;

  constructor(settings: LibrarySettings, now: () => number) {
    this.settings = settings;
    this.#now = now;
    for (let count = 0; count < settings.seed; count += 1) {
      const item = this.createItem({ title: `Earlier lecture ${count}` });
      Object.assign(item, { isSeeded: true, createdAt: now() - (count % 2 === 0 ? 1 : 72) * 3_600_000 });
    }
  }

  newToken(kind: 'access' | 'refresh'): string {
    this.#made += 1;
    const token = `${kind}-${createHash('sha256').update(`${this.#now()} ${this.#made}`).digest('hex').slice(0, 24)}`;
    this[kind].add(token);
    this.everyToken.add(token);
    return token;
  }

  createItem(given: { title: string; collection_id?: string; tags?: string[] }): StoredItem {
    const item: StoredItem = {
      id: this.#newId(),
      title: this.settings.title(given.title),
      collectionId: given.collection_id ?? COLLECTION_ID,
      tags: given.tags ?? [],
      status: 'draft',
      publishOn: null,
      createdAt: this.#now(),
      isSeeded: false,
      files: [],
      thumbs: [],
    };
    this.items.push(item);
    return item;
  }

  createFile(
    item: StoredItem,
    given: { upload_name: string; upload_size: number; upload_type?: string; encoded_from_id?: string },
  ): StoredFile {
    const file: StoredFile = {
      id: this.#newId(),
      key: `k${this.#made}`,
      name: given.upload_name,
      size: given.upload_size,
      type: given.upload_type ?? (given.upload_name.endsWith('.mp3') ? 'audio' : 'video'),
      encodedFromId: given.encoded_from_id ?? null,
      createdAt: this.#now(),
      bytes: null,
      notifiedAt: null,
    };
    item.files.push(file);
    this.destinations.set(file.key, { item, file });
    return file;
  }

  /** Returns the key of a new destination for a thumbnail. */
  createThumb(item: StoredItem): string {
    this.#made += 1;
    const key = `t${this.#made}`;
    this.destinations.set(key, { item, file: null });
    return key;
  }

  /** Stores the bytes of a form that arrived at a destination. Returns false when the key does not exist any more. */
  receive(key: string, name: string, content: Buffer): boolean {
    const target = this.destinations.get(key);
    if (target === undefined) return false;
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (target.file === null) {
      target.item.thumbs.push({ name, sha256 });
      return true;
    }
    if (this.statusOf(target.file) === 'aborted') return false;
    target.file.bytes = { sha256, size: content.length, name, receivedAt: this.#now() };
    if (this.settings.notify !== 'post') target.file.notifiedAt = this.#now();
    return true;
  }

  /** Handles the notification of delivered bytes. Returns false when the library has not received them. */
  notified(key: string): boolean {
    const file = this.destinations.get(key)?.file;
    if (!file?.bytes) return false;
    file.notifiedAt ??= this.#now();
    return true;
  }

  statusOf(file: StoredFile): string {
    const now = this.#now();
    const { noticeMs, processingMs, processingEnds } = this.settings;
    if (file.bytes === null || file.notifiedAt === null || now < file.notifiedAt + noticeMs) {
      const isLate = file.bytes === null && now - file.createdAt > this.settings.abandonedMs;
      return isLate ? 'aborted' : 'uploading';
    }
    return now < file.notifiedAt + noticeMs + processingMs ? 'processing' : processingEnds;
  }

  item(id: string | undefined): StoredItem | undefined {
    return this.items.find((each) => String(each.id) === id);
  }

  deleteItem(id: string | undefined): void {
    const at = this.items.findIndex((each) => String(each.id) === id);
    if (at < 0) return;
    for (const { key } of this.items[at]?.files ?? []) this.destinations.delete(key);
    this.items.splice(at, 1);
    this.deletedItems += 1;
  }

  deleteFile(item: StoredItem, id: string | undefined): void {
    const at = item.files.findIndex((each) => String(each.id) === id);
    if (at < 0) return;
    this.destinations.delete(item.files[at]?.key ?? '');
    item.files.splice(at, 1);
    this.deletedFiles += 1;
  }

  isInLists({ createdAt }: StoredItem): boolean {
    return this.#now() >= createdAt + this.settings.listLagMs;
  }

  isReadable({ createdAt }: { createdAt: number }, lagMs: number): boolean {
    return this.#now() >= createdAt + lagMs;
  }

  timestamp(at: number): string {
    return `${new Date(at + this.settings.clockSkewMs).toISOString().slice(0, 19)}Z`;
  }

  #newId(): string | number {
    this.#made += 1;
    return this.settings.id(this.#made);
  }
}
