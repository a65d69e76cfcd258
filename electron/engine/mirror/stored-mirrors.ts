import type { Collection } from '../../../shared/api/collections.ts';
import { haveCaptions, type MediaFile, sizeOfFiles } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import { type AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { Calendar, CalendarQuery } from '../../../shared/contract/calendar.ts';
import type {
  ItemFileFacts,
  KnownField,
  KnownValue,
  ListGroup,
  MediaQuery,
  MediaWindow,
} from '../../../shared/contract/library.ts';
import type { CountedWord } from '../../../shared/model/library-query/close-words.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Failpoints } from '../ports/failpoints.ts';
import type { Logger } from '../ports/logger.ts';
import { sqliteCodeOf } from '../store/database.ts';
import { checkpointElsewhere, readElsewhere } from '../store/read-elsewhere.ts';
import { isMirrorDamage, MirrorFolder } from './mirror-file.ts';
import { MirrorStore } from './mirror-store.ts';
import type { MirrorStatus, Mirrors, Overlay, ReadMoment, StoredCollection, TitledItem } from './mirrors.ts';
import { titlePage } from './title-pages.ts';

/** An account that has a mirror. */
export interface MirrorOwner {
  siteId: string;
  baseUrl: string;
  /** null: the library has not reported it. */
  userId: string | null;
}

interface Open {
  store: MirrorStore;
  phase: MirrorStatus['phase'];
}

const NONE: MirrorStatus = { phase: 'none', items: 0, total: null, syncedAt: null };

/**
 * The mirrors of all accounts in files, one for each account. A file that can't be used is removed and created again, because the
 * library has everything in it. The file of one account is never read for another.
 */
export class StoredMirrors implements Mirrors {
  readonly #folder: MirrorFolder;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #open = new Map<string, Open>();
  readonly #opening = new Map<string, Promise<MirrorStore>>();
  readonly #rebuilt = new Emitter<string>();
  readonly #damaged = new Map<string, AppError>();

  constructor(options: { profileDir: string; logger: Logger; clock: Clock; failpoints: Failpoints }) {
    this.#folder = new MirrorFolder(options.profileDir, options.failpoints);
    this.#logger = options.logger;
    this.#clock = options.clock;
  }

  /** Opens the existing mirrors, and removes mirrors of other accounts. */
  async start(owners: readonly MirrorOwner[]): Promise<void> {
    this.#folder.removeOthers(owners.map(({ siteId }) => siteId));
    // A mirror that can't be opened does not prevent the start: the next synchronization opens it again and reports why.
    for (const owner of owners) if (this.#folder.has(owner.siteId)) await this.openFor(owner).catch(() => {});
  }

  /** Returns the mirror of an account, opened and created if necessary. */
  openFor(owner: MirrorOwner): Promise<MirrorStore> {
    const { siteId } = owner;
    const open = this.#open.get(siteId);
    if (open !== undefined && belongsTo(open.store, owner)) return Promise.resolve(open.store);
    let opening = this.#opening.get(siteId);
    if (opening === undefined) {
      opening = this.#openOrRebuild(owner).finally(() => this.#opening.delete(siteId));
      this.#opening.set(siteId, opening);
    }
    return opening;
  }

  /** Removes the mirror of an account, for example after a sign-out. */
  forget(siteId: string): void {
    this.#close(siteId);
    this.#damaged.delete(siteId);
    this.#folder.remove(siteId);
  }

  /** Returns the open mirror of an account; null when there is none. */
  storeOf(siteId: string): MirrorStore | null {
    return this.#open.get(siteId)?.store ?? null;
  }

  /** Returns why the mirror is being created again; null when it is not. */
  damageOf(siteId: string): AppError | null {
    return this.#damaged.get(siteId) ?? null;
  }

  /** Runs work on an open mirror. A damaged file is removed and reported; the work then returns `otherwise`. */
  attempt<T>(siteId: string, otherwise: T, work: (store: MirrorStore) => T): T {
    const open = this.#open.get(siteId);
    if (open === undefined) return otherwise;
    try {
      return work(open.store);
    } catch (error) {
      this.noteFault(siteId, error);
      return otherwise;
    }
  }

  /** Removes a damaged mirror. Other SQLite errors (a full disk) are logged; anything else is thrown again. */
  noteFault(siteId: string, error: unknown): void {
    if (isMirrorDamage(error)) {
      this.#removeDamaged(siteId, error);
      return;
    }
    if (sqliteCodeOf(error) === null) throw error;
    this.#logger.error('mirror.unusable', { siteId, error: toAppError(error).toData() });
  }

  /** Checks the whole file in a separate thread; a damaged file is removed and reported. */
  async check(siteId: string): Promise<void> {
    const store = this.storeOf(siteId);
    if (store === null) return;
    let verdict: unknown;
    try {
      const [row] = await readElsewhere(this.#folder.path(siteId), 'PRAGMA integrity_check(1)');
      verdict = row?.integrity_check;
    } catch (error) {
      if (!isMirrorDamage(error)) throw error;
      verdict = error;
    }
    // Another file may have been opened meanwhile.
    if (verdict === 'ok' || this.storeOf(siteId) !== store) return;
    this.#removeDamaged(siteId, verdict instanceof Error ? verdict : new Error(String(verdict)));
  }

  /** Copies the write-ahead log into the file, in a separate thread. Throws SQLite's errors. */
  checkpoint(siteId: string): Promise<void> {
    return checkpointElsewhere(this.#folder.path(siteId));
  }

  /** Stores that the first sync began, or that it is complete. */
  setPhase(siteId: string, phase: 'first-sync' | 'ready'): void {
    const open = this.#open.get(siteId);
    if (open === undefined || open.phase === phase) return;
    open.store.setState('phase', phase);
    open.phase = phase;
    if (phase === 'ready') this.#damaged.delete(siteId);
  }

  status(siteId: string): MirrorStatus {
    const phase = this.#open.get(siteId)?.phase ?? 'none';
    if (phase === 'none') return NONE;
    return this.attempt(siteId, NONE, (store) => ({
      phase,
      items: store.itemCount(),
      total: numberOf(store.state('total')),
      syncedAt: numberOf(store.state('syncedAt')),
    }));
  }

  window(query: MediaQuery, offset: number, limit: number): MediaWindow | null {
    return this.#answer(query, (store) => store.lists.window(query, offset, limit));
  }

  groups(query: MediaQuery): ListGroup[] | null {
    return this.#answer(query, (store) => store.lists.groups(query));
  }

  titles(siteId: string, collectionIds: readonly string[], after: number, limit: number): TitledItem[] | null {
    return this.#answer({ siteId }, ({ database }) => titlePage(database, collectionIds, after, limit));
  }

  count(query: MediaQuery): number | null {
    return this.#answer(query, (store) => store.lists.count(query));
  }

  calendar(query: CalendarQuery): Calendar | null {
    return this.#answer(query, (store) => store.lists.calendar(query));
  }

  captionsUnknown(query: MediaQuery): number {
    return this.#answer(query, (store) => store.lists.captionsUnknown(query)) ?? 0;
  }

  changedSince(query: MediaQuery, seconds: number): number {
    return this.#answer(query, (store) => store.lists.changedSince(query, seconds)) ?? 0;
  }

  latestChange(siteId: string): number | null {
    if (this.#open.get(siteId)?.phase !== 'ready') return null;
    return this.attempt<number | null>(siteId, null, (store) => store.lists.latestChange());
  }

  ids(query: MediaQuery, limit: number): string[] | null {
    return this.#answer(query, (store) => store.lists.ids(query, limit));
  }

  version(siteId: string): number {
    return this.storeOf(siteId)?.version ?? 0;
  }

  values(siteId: string, field: KnownField, text: string, limit: number): KnownValue[] {
    return this.attempt<KnownValue[]>(siteId, [], (store) => store.values(field, text, limit));
  }

  wordsNear(siteId: string, word: string, initial: string): CountedWord[] {
    return this.attempt<CountedWord[]>(siteId, [], (store) => store.wordsNear(word, initial));
  }

  items(siteId: string, ids: readonly string[]): Map<string, MediaItem> {
    return new Map([...this.storedItems(siteId, ids)].map(([id, read]) => [id, read()]));
  }

  storedItems(siteId: string, ids: readonly string[]): Map<string, () => MediaItem> {
    return this.attempt(siteId, new Map<string, () => MediaItem>(), (store) => store.items(ids));
  }

  collections(siteId: string): StoredCollection[] | null {
    if (this.#open.get(siteId)?.phase !== 'ready') return null;
    return this.attempt<StoredCollection[] | null>(siteId, null, (store) => store.collections());
  }

  putCollections(siteId: string, collections: readonly StoredCollection[]): void {
    this.attempt(siteId, false, (store) => store.replaceCollections(collections));
  }

  collectionMoment(siteId: string): number {
    return this.storeOf(siteId)?.collectionMoment() ?? 0;
  }

  putCollection(siteId: string, collection: Collection, podcast: PodcastDetails | null, since?: number): boolean {
    return this.attempt(siteId, true, (store) => store.putCollection(collection, podcast, since));
  }

  collectionDetail(siteId: string, collectionId: string) {
    return this.attempt<ReturnType<MirrorStore['collectionDetail']>>(siteId, null, (store) =>
      store.collectionDetail(collectionId),
    );
  }

  removeCollection(siteId: string, collectionId: string): void {
    this.attempt(siteId, undefined, (store) => store.removeCollection(collectionId));
  }

  readMoment(siteId: string): ReadMoment {
    return this.storeOf(siteId)?.readMoment() ?? { moment: 0, syncWrites: 0 };
  }

  put(siteId: string, item: MediaItem, since: ReadMoment, files?: readonly MediaFile[]): MediaItem {
    const newer = this.attempt<MediaItem | null>(siteId, null, (store) =>
      store.isOutdated(item, since) ? (store.items([item.id]).get(item.id)?.() ?? null) : null,
    );
    if (newer !== null) return newer;
    const facts = files && { hasCaptions: haveCaptions(files), sizeBytes: sizeOfFiles(files) };
    this.attempt(siteId, false, (store) => store.putNow(item, facts, since));
    if (files !== undefined) this.attempt(siteId, undefined, (store) => store.putFiles(item.id, files));
    return item;
  }

  files(siteId: string, mediaId: string): MediaFile[] | null {
    return this.attempt<MediaFile[] | null>(siteId, null, (store) => store.filesOf(mediaId));
  }

  putRelated(siteId: string, mediaId: string, relatedIds: readonly string[]): void {
    this.attempt(siteId, undefined, (store) => store.putRelated(mediaId, relatedIds));
  }

  fileFacts(siteId: string, ids: readonly string[]): Map<string, Partial<ItemFileFacts>> {
    const none = new Map<string, Partial<ItemFileFacts>>();
    return this.attempt(siteId, none, (store) => store.lists.fileFacts(ids));
  }

  noteFiles(siteId: string, mediaId: string, facts: ItemFileFacts): void {
    this.attempt(siteId, undefined, (store) => store.noteFilesNow(mediaId, facts));
  }

  noteCaptions(siteId: string, mediaId: string): void {
    this.attempt(siteId, undefined, (store) => store.noteCaptionsNow(mediaId));
  }

  remove(siteId: string, mediaId: string): void {
    this.attempt(siteId, false, (store) => store.remove(mediaId));
  }

  setOverlay(siteId: string, mediaId: string, effective: Overlay | null): void {
    this.attempt(siteId, false, (store) => store.setOverlay(mediaId, effective));
  }

  overlaid(): { siteId: string; mediaId: string }[] {
    return [...this.#open.keys()].flatMap((siteId) => {
      const ids = this.attempt<string[]>(siteId, [], (store) => store.overlaidIds());
      return ids.map((mediaId) => ({ siteId, mediaId }));
    });
  }

  onDidRebuild(listener: (siteId: string) => void): () => void {
    return this.#rebuilt.on(listener);
  }

  stop(): void {
    for (const siteId of [...this.#open.keys()]) this.#close(siteId);
  }

  /** Runs a query on a complete mirror; null without one, and for `relatedTo`, which only the library can answer. */
  #answer<T>(query: Pick<MediaQuery, 'siteId' | 'relatedTo'>, work: (store: MirrorStore) => T): T | null {
    const isReady = this.#open.get(query.siteId)?.phase === 'ready';
    if (!isReady || query.relatedTo !== undefined) return null;
    return this.attempt<T | null>(query.siteId, null, work);
  }

  async #openOrRebuild(owner: MirrorOwner): Promise<MirrorStore> {
    const { siteId } = owner;
    const isNew = !this.#folder.has(siteId);
    try {
      const store = await this.#openFile(siteId);
      if (isNew || belongsTo(store, owner)) return this.#keep(owner, store, isNew);
      store.close();
      this.#logger.warn('mirror.other-owner', { siteId });
    } catch (error) {
      if (!isMirrorDamage(error)) throw error;
      this.#noteDamage(siteId, error);
    }
    this.#close(siteId);
    this.#folder.remove(siteId);
    return this.#keep(owner, await this.#openFile(siteId), true);
  }

  async #openFile(siteId: string): Promise<MirrorStore> {
    const database = await this.#folder.open(siteId);
    try {
      return new MirrorStore(database, this.#clock.now);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #keep({ siteId, baseUrl, userId }: MirrorOwner, store: MirrorStore, isNew: boolean): MirrorStore {
    store.setState('baseUrl', baseUrl);
    if (userId !== null) store.setState('userId', userId);
    const phase = store.state('phase');
    this.#open.set(siteId, { store, phase: phase === 'ready' || phase === 'first-sync' ? phase : 'none' });
    if (isNew) this.#rebuilt.emit(siteId);
    return store;
  }

  #removeDamaged(siteId: string, error: unknown): void {
    this.#noteDamage(siteId, error);
    this.#close(siteId);
    this.#folder.remove(siteId);
    this.#rebuilt.emit(siteId);
  }

  #noteDamage(siteId: string, error: unknown): void {
    this.#logger.error('mirror.damaged', { siteId, error: toAppError(error).toData() });
    this.#damaged.set(siteId, appError('library.copy-damaged', { details: { siteId } }));
  }

  #close(siteId: string): void {
    const open = this.#open.get(siteId);
    this.#open.delete(siteId);
    try {
      open?.store.close();
    } catch (error) {
      // Closing a damaged file can fail; the file is removed anyway.
      if (sqliteCodeOf(error) === null) throw error;
      this.#logger.warn('mirror.not-closed', { siteId, error: toAppError(error).toData() });
    }
  }
}

/** Returns whether a mirror belongs to an account. An account whose user the library reports later keeps its mirror. */
function belongsTo(store: MirrorStore, { baseUrl, userId }: MirrorOwner): boolean {
  const known = store.state('userId');
  return store.state('baseUrl') === baseUrl && (known === null || userId === null || known === userId);
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
