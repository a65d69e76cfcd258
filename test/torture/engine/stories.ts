import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Engine } from '../../../electron/engine/engine.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { SourceChoice } from '../../../shared/contract/upload-choices.ts';
import { type BatchDefaults, batchDefaultsSchema, type UploadRow } from '../../../shared/contract/uploads.ts';
import { watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import { editInBulk } from './bulk-edit-story.ts';
import { type Job, WORKING_LINE } from './job.ts';
import { BYLINE, ORIGINAL_BYTES, PICTURE, type Places, TRAVELED } from './story-files.ts';

const SIGNS_IN_AGAIN: ReadonlySet<string> = new Set(['sign-in.required', 'sign-in.timed-out']);

/**
 * The actions of a user, in parts that can be repeated from any point: each part checks the existing state, as a user
 * does after a crash.
 */
export class Narrator {
  signIns = 0;
  readonly #engine: Engine;
  readonly #job: Job;

  constructor(engine: Engine, job: Job) {
    this.#engine = engine;
    this.#job = job;
  }

  async tell(): Promise<void> {
    for (;;) {
      try {
        return await this.#tell(await this.#signedIn());
      } catch (error) {
        // The stored sign-in was lost with the previous run, which is detected when it is used; or the computer is so busy
        // that five minutes of the fast clock pass before the sign-in ends.
        if (!(error instanceof AppError) || !SIGNS_IN_AGAIN.has(error.code)) throw error;
      }
    }
  }

  async #tell(siteId: string): Promise<void> {
    switch (this.#job.story) {
      case 'journey':
      case 'damage':
        await this.#addMissing(siteId);
        this.#work();
        await this.#settled();
        return;
      case 'troubles':
        await this.#troubles(siteId);
        return;
      case 'afterwards':
        await this.#afterwards(siteId);
        return;
      case 'library':
        await this.#library(siteId);
        return;
      case 'station':
        await this.#station(siteId);
        return;
    }
  }

  async rows(): Promise<UploadRow[]> {
    const rows: UploadRow[] = [];
    for (;;) {
      const page = { filter: 'all', batchId: null, offset: rows.length, limit: 500 } as const;
      const answer = await this.#engine.call('uploads.list', page);
      rows.push(...answer.rows);
      if (rows.length >= answer.total || answer.rows.length === 0) return rows;
    }
  }

  async #signedIn(): Promise<string> {
    const { baseUrl, clientId } = this.#job.site;
    const [site] = await this.#engine.call('sites.list', null);
    if (site?.state === 'signed-in') return site.id;
    this.signIns += 1;
    return (await this.#engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' })).id;
  }

  /**
   * Adds the files of the folder that are not in the queue. Files named `public…` are published, and their uploads
   * resolve the collection; files named `skipped…` are skipped when the collection has them already.
   */
  async #addMissing(siteId: string): Promise<void> {
    const known = new Set((await this.rows()).map(({ path }) => path));
    const missing = readdirSync(this.#job.folder)
      .map((name) => join(this.#job.folder, name))
      .filter((path) => !known.has(path) && !/\.(vtt|png)$/.test(path) && basename(path) !== TRAVELED);
    for (const [, paths] of Map.groupBy(missing, (path) => JSON.stringify(this.#defaultsOf(path)))) {
      const defaults = this.#defaultsOf(paths[0] ?? '');
      const { collectionId } = this.#job;
      const target = defaults.publish.kind === 'now' ? { collectionRef: collectionId } : { collectionId };
      await this.#engine.call('uploads.add', { siteId, ...target, paths, defaults });
    }
  }

  #defaultsOf(path: string): BatchDefaults {
    const { story, places } = this.#job;
    const name = basename(path);
    return batchDefaultsSchema.parse({
      publish: { kind: name.startsWith('public') ? 'now' : 'draft' },
      duplicates: name.startsWith('skipped') ? 'skip' : 'ask',
      ...(story === 'afterwards' ? { tags: ['afterwards'], source: sourceOf(basename(path, '.wav'), places) } : {}),
    });
  }

  #work(): void {
    this.#engine.startUploads();
    console.log(WORKING_LINE);
  }

  /** Waits until every upload has ended or is paused; signs in again if that is required. */
  async #settled(): Promise<void> {
    for (;;) {
      await this.#engine.whenUploadsIdle();
      const open = (await this.rows()).filter(({ state }) => !isEnded(state) && state !== 'paused');
      if (open.length === 0) return;
      await this.#signedIn();
    }
  }

  async #row(name: string): Promise<UploadRow> {
    const row = (await this.rows()).find((each) => basename(each.path) === `${name}.bin`);
    if (row === undefined) throw new Error(`no row for ${name}`);
    return row;
  }

  async #troubles(siteId: string): Promise<void> {
    const engine = this.#engine;
    const path = (name: string) => join(this.#job.folder, `${name}.bin`);
    await this.#listAgain();
    // The file is not renamed, because the engine follows a rename: it is deleted, and restored from a copy.
    const away = join(this.#job.profileDir, 'missing.bin');
    bringBack(away, path('missing'));
    await this.#addMissing(siteId);
    const changes = await this.#row('changes');
    if (changes.state === 'queued' && statSync(path('changes')).size === ORIGINAL_BYTES) {
      appendFileSync(path('changes'), 'one more line');
    }
    if (existsSync(path('travels'))) renameSync(path('travels'), join(this.#job.folder, TRAVELED));
    const replaced = await this.#row('replaced');
    // Nothing of it was sent yet.
    if (replaced.mediaId === null && !isEnded(replaced.state)) this.#replace(path('replaced'));
    const missing = await this.#row('missing');
    if (!isEnded(missing.state)) {
      copyFileSync(path('missing'), `${away}.part`);
      renameSync(`${away}.part`, away);
      rmSync(path('missing'));
    }
    const paused = await this.#row('paused');
    const alone = { kind: 'ids' as const, ids: [paused.id] };
    // A run that ended between the cancel and its undo leaves the upload cancelled: the user then retries it.
    if (paused.state === 'cancelled') await engine.call('uploads.retry', alone);
    else if (!isEnded(paused.state)) await engine.call('uploads.pause', alone);
    const { undoId } = await engine.call('uploads.cancelUnsent', alone);
    if (undoId !== null) await engine.call('uploads.undoCancel', { undoId });

    const stopMeddling = this.#meddle(siteId);
    await engine.call('uploads.pause', { kind: 'all' });
    this.#work();
    await engine.call('uploads.resume', { kind: 'all' });
    await this.#settled();
    stopMeddling();

    bringBack(away, path('missing'));
    await engine.call('uploads.resume', { kind: 'all' });
    await engine.call('uploads.acceptReplaced', { kind: 'failed' });
    await engine.call('uploads.retry', { kind: 'failed' });
    await this.#settled();
    await engine.call('uploads.resolveDuplicates', { selection: { kind: 'failed' }, choice: 'upload' });
    await this.#settled();
    await engine.call('uploads.clear', { selection: { kind: 'all' }, what: 'completed' });
    await this.#listAgain();
  }

  /** Replaces a file by a copy, as a program does that saves under another name first. */
  #replace(path: string): void {
    const copy = join(this.#job.profileDir, 'copy.bin');
    copyFileSync(path, copy);
    renameSync(copy, path);
  }

  /** Lists the uploads that this process or an earlier one cleared. */
  async #listAgain(): Promise<void> {
    await this.#engine.call('uploads.undoClear', { selection: { kind: 'all' } });
  }

  /** A colleague deletes the item of `gone`, and the user cancels `cancelled`, as soon as their items exist. */
  #meddle(siteId: string): () => void {
    const met = new Set<string>();
    return this.#engine.on('onDidChangeUploads', ({ rows }) => {
      for (const { path, id, mediaId, state } of rows) {
        const name = basename(path, '.bin');
        if (mediaId === null || isEnded(state) || met.has(name)) continue;
        if (name !== 'gone' && name !== 'cancelled') continue;
        met.add(name);
        if (name === 'cancelled') void this.#engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
        else if (state === 'preparing') void this.#engine.call('library.deleteMedia', { siteId, mediaId });
      }
    });
  }

  /** Tells the story `afterwards`. There is no trash until an upload has failed without it. */
  async #afterwards(siteId: string): Promise<void> {
    await this.#addMissing(siteId);
    await this.#describe();
    const moved = (await this.rows()).find((each) => basename(each.path) === 'moved.wav');
    if (moved?.mediaId === null) this.#replace(join(this.#job.folder, 'moved.en.vtt'));
    const stopMeddling = this.#takeTagsAway(siteId);
    this.#work();
    await this.#settled();
    stopMeddling();
    mkdirSync(this.#job.places.trashed, { recursive: true });
    await this.#engine.call('uploads.acceptReplaced', { kind: 'all' });
    await this.#engine.call('uploads.retry', { kind: 'all' });
    await this.#settled();
  }

  /** Changes the values of uploads without an item, like a user who describes them while they wait. */
  async #describe(): Promise<void> {
    const details = await this.#engine.call('uploads.details', { ids: (await this.rows()).map(({ id }) => id) });
    const changes = details.flatMap(({ id, place }) => (place === 'row' ? [{ id, fields: { byline: BYLINE } }] : []));
    if (changes.length > 0) await this.#engine.call('uploads.describe', { changes });
  }

  /** A colleague removes the tags of `carried` as soon as its item exists. */
  #takeTagsAway(siteId: string): () => void {
    const stop = this.#engine.on('onDidChangeUploads', ({ rows }) => {
      const row = rows.find(({ path, mediaId }) => basename(path) === 'carried.wav' && mediaId !== null);
      if (!row?.mediaId) return;
      stop();
      void this.#engine.call('library.updateMedia', { siteId, mediaId: row.mediaId, patch: { tags: [] } });
    });
    return stop;
  }

  /** Edits a collection, moves another collection into it and deletes both; after a crash, deletes the remaining ones. */
  async #changeCollections(siteId: string, parentId: string): Promise<void> {
    const engine = this.#engine;
    // First completes the deletions of an earlier process: until then, the collection can be found, and its edits would be
    // refused.
    engine.startEdits();
    await engine.whenEditsIdle();
    const idOf = async (displayName: string): Promise<string> => {
      const found = await engine.call('library.findCollections', { siteId, text: displayName, limit: 10 });
      const known = found.find(({ collection }) => collection.displayName === displayName)?.collection.id;
      if (known !== undefined) return known;
      return (await engine.call('library.createCollection', { siteId, parentId, displayName, isPodcast: true })).id;
    };
    const collectionId = await idOf('edited');
    await engine.call('library.updateCollection', { siteId, collectionId, patch: { description: 'x' }, expected: {} });
    await engine.call('library.reslugifyCollection', { siteId, collectionId });
    const details = { copyright: '© made' };
    await engine.call('library.updatePodcast', { siteId, collectionId, patch: details, expected: {} });
    const movedId = await idOf('moved');
    const moves = [{ collectionId: movedId, newParentId: collectionId }];
    await engine.call('library.moveCollections', { siteId, moves });
    const confirmed = { collectionIds: [collectionId, movedId], items: 0 };
    await engine.call('library.deleteCollections', { siteId, collectionIds: [collectionId], confirmed });
  }

  /** Sets the thumbnail of the collection; after a crash, waits until it is sent. */
  async #setThumbnail(siteId: string): Promise<void> {
    const { collectionId } = this.#job;
    if ((await this.rows()).length === 0) {
      const picture = { bytes: Buffer.from(PICTURE, 'base64'), name: 'cover.png' };
      await this.#engine.call('files.setCollectionThumbnail', { siteId, collectionId, picture });
    }
    this.#work();
    await this.#settled();
  }

  /**
   * Watches the folder until every file in it is in the library; a file comes and goes, and another folder is watched and
   * removed.
   */
  async #station(siteId: string): Promise<void> {
    const engine = this.#engine;
    const { folder, places, collectionId } = this.#job;
    const collection = { kind: 'fixed', collection: { kind: 'id', id: collectionId, name: 'torture' } };
    const rules = watchRulesSchema.parse({ defaults: { settings: { siteId, collection } } });
    const watched = async (root: string) => (await engine.call('watch.list', null)).find((each) => each.root === root);
    for (const path of [folder, places.moved]) {
      if ((await watched(path)) === undefined) await engine.call('watch.add', { path, rules, sweepEveryMs: 10_000 });
    }
    this.#work();
    engine.startWatching();
    const leaves = join(folder, 'leaves.part');
    writeFileSync(leaves, 'a part');
    await this.#until(async () => ((await watched(folder))?.counts.refused ?? 0) > 0);
    rmSync(leaves);
    await this.#until(async () => (await watched(folder))?.counts.refused === 0);
    const files = readdirSync(folder).filter((name) => !name.endsWith('.vtt')).length;
    await this.#until(async () => ((await watched(folder))?.counts.done ?? 0) >= files);
    // After a crash, the captions already exist.
    const captions = join(folder, 'spoken.vtt');
    if (!existsSync(captions)) writeFileSync(captions, 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning.\n');
    await this.#until(async () => ((await watched(folder))?.counts.done ?? 0) > files);
    const other = await watched(places.moved);
    if (other !== undefined) await engine.call('watch.remove', { folderId: other.id });
    await this.#settled();
  }

  /** Resolves when the condition is true, which is checked with every change of the watched folders. */
  async #until(isMet: () => Promise<boolean>): Promise<void> {
    while (!(await isMet())) {
      await new Promise<void>((resolve) => {
        const dispose = this.#engine.on('onDidChangeWatch', () => {
          dispose();
          resolve();
        });
      });
    }
  }

  async #library(siteId: string): Promise<void> {
    const engine = this.#engine;
    const parentId = this.#job.collectionId;
    // The mirror stores the items that the user then changes.
    await engine.call('library.syncNow', { siteId });
    const made = (await engine.call('library.collections', { siteId, parentId })).some(
      ({ displayName }) => displayName === 'made',
    );
    if (!made)
      await engine.call('library.createCollection', { siteId, parentId, displayName: 'made', isPodcast: false });
    await this.#setThumbnail(siteId);
    await this.#changeCollections(siteId, parentId);
    const query = {
      siteId,
      collectionId: parentId,
      search: '',
      type: null,
      status: null,
      ...({ sort: 'created_on', order: 'desc' } as const),
    };
    await engine.call('library.syncNow', { siteId });
    await editInBulk(engine, this.#job, siteId);
    const { rows } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 10 });
    for (const { id: mediaId } of rows) {
      await engine.call('library.updateMedia', { siteId, mediaId, patch: { title: 'looked after' } });
      await engine.call('library.publishMedia', { siteId, mediaId, publishOn: null });
      await engine.call('library.unpublishMedia', { siteId, mediaId });
      await engine.call('library.deleteMedia', { siteId, mediaId });
    }
    await engine.call('sites.signOut', { siteId });
  }
}

/** Moves a file back to its path, also to another disk. After a kill in between, the next process continues. */
function bringBack(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (!existsSync(to)) {
    // A file that is not complete never has the name of a recording.
    copyFileSync(from, `${to}.part`);
    renameSync(`${to}.part`, to);
  }
  rmSync(from);
}

function sourceOf(name: string, places: Places): SourceChoice {
  return name === 'trashed'
    ? { kind: 'trash' }
    : { kind: 'move', folder: name === 'moved' ? places.moved : places.carried };
}
