import type { MediaItem } from '../../../shared/api/media.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type {
  CallInput,
  CallName,
  CallOutput,
  EventData,
  EventName,
  MediadeskBridge,
  Reply,
} from '../../../shared/contract/contract.ts';
import type { MediaRow } from '../../../shared/contract/library.ts';
import type { SyncStatus } from '../../../shared/contract/library-sync.ts';
import type { NetworkState } from '../../../shared/contract/network.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { ListedFile } from '../../../shared/contract/upload-files.ts';
import { DEFAULT_NETWORK } from '../../../shared/model/default-network.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/default-settings.ts';
import { administration, type Handlers, PreviewError } from './bridge-preview-base.ts';

import { calendarOf, makeCollections, makeDetail, makeRow, pathTo, rowEdits } from './bridge-preview-data.ts';
import { PreviewUploads } from './bridge-preview-uploads.ts';
import { DESKTOP_HANDLERS, UPDATE_HANDLERS } from './preview-desktop.ts';

/** The answer when a file is added: the preview adds it nowhere. */
const NOTHING_ADDED = {
  batchId: 'b1',
  added: 1,
  addedBytes: 80_000,
  skipped: [],
  skippedCount: 0,
  sidecars: 0,
  fallbackTitles: 0,
};

export interface PreviewOptions {
  scene: 'signed-out' | 'signed-in' | 'needs-sign-in';
  items: number;
  uploads: number;
  /** Every request to the library fails. */
  fails: boolean;
  notices: boolean;
  keychain: boolean;
  moves: boolean;
}

/** The preview watches no folder. */
const noFolder = () => {
  throw new PreviewError('watch.unknown-folder');
};
const watchPreview = {
  'watch.list': () => [],
  'watch.files': () => ({ total: 0, rows: [] }),
  'watch.at': () => null,
  'watch.find': () => ({ rows: [] }),
  'watch.count': () => ({ files: 0, bytes: 0, isAll: true, isNetwork: false }),
  'watch.manifests': () => null,
  'watch.preview': noFolder,
  'watch.add': noFolder,
  'watch.edit': noFolder,
  'watch.remove': noFolder,
  'watch.pause': noFolder,
  'watch.resume': noFolder,
  'watch.sweepNow': noFolder,
  'watch.confirmMoved': noFolder,
  'watch.uploadAnyway': () => ({ changed: 0 }),
};

/** The preview edits nothing in the background. */
const noEdit = () => {
  throw new PreviewError('edit.unknown');
};
const editPreview = {
  'edits.plan': noEdit,
  'edits.apply': () => ({ group: null }),
  'edits.groups': () => ({ total: 0, groups: [], totals: { pending: 0, held: 0, conflict: 0, refused: 0 }, sent: 0 }),
  'edits.group': noEdit,
  'edits.groupRows': () => ({ total: 0, rows: [] }),
  'edits.retry': () => ({ changed: 0 }),
  'edits.revise': () => ({ changed: 0 }),
  'edits.drop': () => ({ changed: 0 }),
  'edits.sameQuestion': () => ({ ids: [] }),
  'edits.resolve': () => ({ changed: 0 }),
  'edits.undo': noEdit,
  'edits.redo': noEdit,
};

/** A bridge that answers from memory, for previews of screens and for component tests. Never part of the app. */
export function createPreviewBridge(options: PreviewOptions): MediadeskBridge {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  const emit = <N extends EventName>(name: N, data: EventData<N>) => {
    for (const listener of listeners.get(name) ?? []) (listener as (data: EventData<N>) => void)(data);
  };
  const uploads = new PreviewUploads(options.uploads, (data) => emit('onDidChangeUploads', data), options.moves);
  if (options.scene === 'needs-sign-in') uploads.block(new PreviewError('sign-in.required').data);
  const site: Site = {
    id: 'site-1',
    baseUrl: 'https://media.example.org',
    clientId: 'mediadesk',
    displayName: 'media.example.org',
    userId: '12',
    accountName: 'Anna Berger',
    state: options.scene === 'needs-sign-in' ? 'needs-sign-in' : 'signed-in',
    keptIn: options.keychain ? 'system' : 'memory',
    problem: null,
    reachable: !options.fails,
    restored: false,
  };
  let sites: Site[] = options.scene === 'signed-out' ? [] : [site];
  const collections = makeCollections(options.items);
  const edits = new Map<string, Partial<MediaItem>>();
  let settings: Settings = DEFAULT_SETTINGS;
  let network: NetworkState = {
    ...{ settings: DEFAULT_NETWORK, hasPassword: false, evaluatesPac: true, environmentProxy: null, certificates: [] },
  };
  let cancel: (() => void) | null = null;
  const refuse = () => {
    if (options.fails) throw new PreviewError('network.unreachable', { address: site.baseUrl });
  };
  const rowAt = (index: number): MediaRow => ({ ...makeRow(index), ...rowEdits(edits.get(`m${index}`)) });

  const handlers: Handlers = {
    'waveforms.read': () => null,
    'waveforms.store': () => null,
    'app.info': () => ({
      version: '0.1.0',
      platform: 'linux',
      profileDir: '/home/anna/.config/mediadesk',
      keychain: {
        kind: options.keychain ? 'system' : 'memory',
        problem: options.keychain ? null : new PreviewError('keychain.unavailable').data,
      },
      presets: { baseUrl: '', clientId: 'mediadesk-desktop' },
      theme: 'system',
      hourCycle: 'h23',
      weekStart: 1,
      notices: options.notices
        ? [new PreviewError('profile.damaged', { path: '/home/anna/queue.damaged.db' }).data]
        : [],
    }),
    ...watchPreview,
    ...UPDATE_HANDLERS,
    ...editPreview,
    'manifest.open': () => {
      throw new PreviewError('file.missing');
    },
    'manifest.check': () => {
      throw new PreviewError('manifest.over');
    },
    'manifest.checkFiles': () => {
      throw new PreviewError('manifest.over');
    },
    'manifest.problems': () => ({ total: 0, rows: [] }),
    'manifest.saveErrors': ({ path }) => ({ path }),
    'manifest.table': () => ({ rows: [], missing: 0, collections: [] }),
    'manifest.collections': () => ({ collections: [] }),
    'manifest.checkTable': () => ({ planId: '', changed: 0, unchanged: 0, problems: [] }),
    'manifest.export': ({ path }) => ({ path, items: 0, missing: 0, emptied: 0 }),
    'downloads.start': () => ({ downloads: [] }),
    'downloads.list': () => [],
    'downloads.pause': () => ({ changed: 0 }),
    'downloads.resume': () => ({ changed: 0 }),
    'downloads.cancel': () => ({ changed: 0 }),
    'downloads.clear': () => ({ changed: 0 }),
    'files.check': () => null,
    'files.webAddress': () => ({ url: 'https://video.example.org/1' }),
    'files.delete': () => ({ isPending: false, reason: null }),
    'files.embed': () => ({ isPending: false, reason: null }),
    'files.add': () => NOTHING_ADDED,
    'files.replace': () => NOTHING_ADDED,
    'files.additions': () => [],
    'files.checkCaptions': () => ({
      ...{ format: 'vtt', encoding: 'utf-8', isGuessed: false, sample: '' },
      ...{ label: 'German', language: 'de' },
    }),
    'files.addCaptions': () => NOTHING_ADDED,
    'files.renameCaptions': () => NOTHING_ADDED,
    'files.checkPicture': () => ({ contentType: 'image/png', width: 1920, height: 1080, sizeBytes: 80_000 }),
    'files.setThumbnail': () => NOTHING_ADDED,
    'files.setCollectionThumbnail': () => NOTHING_ADDED,
    'shell.showDocument': () => null,
    'network.get': () => network,
    'network.set': ({ patch }: CallInput<'network.set'>) => {
      network = { ...network, settings: { ...network.settings, ...patch } };
      return network;
    },
    'network.importCertificates': () => network,
    'network.removeCertificate': () => network,
    'shell.chooseCertificate': () => ({ path: null }),
    'network.test': () => ({ proxy: null, problem: null }),
    'settings.get': () => settings,
    'settings.set': ({ patch }: CallInput<'settings.set'>) => {
      settings = { ...settings, ...patch };
      emit('onDidChangeSettings', settings);
      return settings;
    },
    'sites.list': () => sites,
    'sites.signIn': async (input: CallInput<'sites.signIn'>) => {
      emit('onDidChangeSignIn', { phase: 'checking', openUrl: null });
      await wait(500);
      const end = () => emit('onDidChangeSignIn', { phase: null, openUrl: null });
      if (!/^https:\/\/[\w.-]+\.\w+/.test(input.baseUrl)) {
        end();
        throw new PreviewError(input.baseUrl.startsWith('http:') ? 'site.address-insecure' : 'site.address-invalid');
      }
      const openUrl = input.browser === 'system' ? `${input.baseUrl}/oauth/authorize?client_id=x&state=y` : null;
      emit('onDidChangeSignIn', { phase: 'waiting-for-browser', openUrl });
      const cancelled = await new Promise<boolean>((resolve) => {
        cancel = () => resolve(true);
        setTimeout(() => resolve(false), 4000);
      });
      end();
      if (cancelled) throw new PreviewError('sign-in.cancelled');
      sites = [site];
      return site;
    },
    'sites.cancelSignIn': () => {
      cancel?.();
      return null;
    },
    'sites.pasteCode': () => null,
    'sites.check': () => ({ problem: null }),
    'sites.clock': () => ({ aheadMs: 0 }),
    'sites.unsent': () => ({
      edits: { pending: 0, held: 0, conflict: 0, refused: 0 },
      uploads: { pending: 0, failed: 0, needsDecision: 0 },
    }),
    'sites.continueRestored': () => ({ edits: 0, restarted: 0, failed: 0, folders: 0 }),
    'sites.signOut': () => {
      sites = [];
      return null;
    },
    'library.collections': async ({ parentId }: CallInput<'library.collections'>) => {
      await wait(120);
      refuse();
      return collections.filter((row) => row.parentId === parentId);
    },
    'library.collection': ({ collectionId }: CallInput<'library.collection'>) => {
      const collection = collections.find((row) => row.id === collectionId);
      if (collection === undefined) throw new PreviewError('api.not-found');
      return { collection, path: pathTo(collections, collection) };
    },
    'library.findCollections': ({ text, limit }: CallInput<'library.findCollections'>) =>
      collections
        .filter((row) => row.displayName.toLowerCase().includes(text.toLowerCase()))
        .slice(0, limit)
        .map((collection) => ({ collection, path: pathTo(collections, collection) })),
    'library.createCollection': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.collectionDetail': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.updateCollection': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.reslugifyCollection': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.moveCollections': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.planDeletion': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.deleteCollections': () => {
      throw new PreviewError('api.forbidden');
    },
    'library.stopDeletion': () => null,
    ...administration(),
    'admin.jobs': () => [],
    'library.collectionMembers': () => ({ places: [], inherits: false, isCut: false, visible: 'all' }),
    'library.podcast': () => {
      throw new PreviewError('collection.not-a-podcast');
    },
    'library.updatePodcast': () => {
      throw new PreviewError('collection.not-a-podcast');
    },
    'library.refresh': () => null,
    'library.mediaWindow': async ({ query, offset, limit }: CallInput<'library.mediaWindow'>) => {
      await wait(90);
      refuse();
      const total = query.search ? (query.search === 'zzz' ? 0 : Math.min(options.items, 42)) : options.items;
      const count = Math.max(0, Math.min(limit, total - offset));
      return { total, offset, rows: Array.from({ length: count }, (_, step) => rowAt(offset + step)) };
    },
    'library.calendar': ({ query }: CallInput<'library.calendar'>) => calendarOf(query, options.items, rowAt),
    'library.values': () => [
      { value: 'interview', items: 12 },
      { value: 'field trip', items: 4 },
    ],
    'searches.list': () => [],
    'searches.markSeen': () => [],
    'searches.add': () => [],
    'searches.rename': () => [],
    'searches.remove': () => [],
    'searches.move': () => [],
    'library.mediaIds': () => ({ ids: [], isAll: true }),
    'library.syncStatus': ({ siteId }: CallInput<'library.syncStatus'>) => syncStatusOf(siteId),
    'library.syncNow': ({ siteId }: CallInput<'library.syncNow'>) => syncStatusOf(siteId),
    'library.correctedSearch': () => ({ search: null }),
    ...{ 'library.previewPlayer': () => null, 'library.titleSeries': () => ({ series: null }) },
    'library.similarItems': () => ({ similar: [] }),
    'library.fileFacts': () => ({ sizeBytes: 48_000_000, hasCaptions: false }),
    'edits.restoreAsNew': () => ({ id: '1', name: '', isPending: false }),
    'library.rightToAdd': () => null,
    'library.rightsOf': () => ({ edit: null, publish: null, delete: null, ownUntil: null }),
    'library.rights': () => ({ edit: null, publish: null, delete: null, ownUntil: null }),
    'library.embedCodes': ({ mediaIds, width, height }: CallInput<'library.embedCodes'>) => ({
      codes: mediaIds.map(
        (id) => `<iframe src="${site.baseUrl}/embed/${id}" width="${width}" height="${height}"></iframe>`,
      ),
    }),
    'library.embedCode': ({ width, height }: CallInput<'library.embedCode'>) => ({
      html: `<iframe width="${width}" height="${height}"></iframe>`,
      url: 'https://media.example.org/embed/1',
    }),
    'library.media': async ({ mediaId }: CallInput<'library.media'>) => {
      await wait(90);
      return makeDetail(mediaId, edits.get(mediaId));
    },
    'library.updateMedia': async ({ mediaId, patch }: CallInput<'library.updateMedia'>) => {
      await wait(300);
      if (patch.title === 'bad') {
        throw new PreviewError('api.invalid', { errors: [{ field: 'title', message: 'Title is already taken.' }] });
      }
      edits.set(mediaId, { ...edits.get(mediaId), ...(patch as Partial<MediaItem>) });
      return makeDetail(mediaId, edits.get(mediaId));
    },
    'library.publishMedia': ({ mediaId, publishOn }: CallInput<'library.publishMedia'>) => {
      const status = publishOn === null ? 'published' : 'scheduled';
      edits.set(mediaId, {
        ...edits.get(mediaId),
        status,
        publish_on: publishOn ?? new Date().toISOString(),
      });
      return makeDetail(mediaId, edits.get(mediaId));
    },
    'library.unpublishMedia': ({ mediaId }: CallInput<'library.unpublishMedia'>) => {
      edits.set(mediaId, { ...edits.get(mediaId), status: 'draft', publish_on: null });
      return makeDetail(mediaId, edits.get(mediaId));
    },
    'library.deleteMedia': () => {
      throw new PreviewError('api.forbidden', { status: 403, path: '/api2/media/7' });
    },
    'uploads.preview': async ({ paths, lists }: CallInput<'uploads.preview'>) => {
      await wait(400);
      const named = paths.slice(0, 3).map((path) => path.split('/').slice(-2));
      const firstNames = named.map(([folderName = '', fileName = '']) => ({
        fileName,
        folderName,
        date: '2026-11-19',
      }));
      return {
        files: paths.length,
        bytes: 3e9,
        skipped: paths.length > 2 ? 1 : 0,
        likelyDuplicates: 0,
        sidecars: 0,
        isAll: true,
        firstNames,
        ...(lists === true ? { list: { files: listedFiles(paths), isAll: true } } : {}),
      };
    },
    'presets.list': () => [],
    'presets.save': () => [],
    'presets.rename': () => [],
    'presets.remove': () => [],
    'presets.use': () => [],
    'recipes.list': () => [],
    'recipes.save': () => [],
    'recipes.rename': () => [],
    'recipes.remove': () => [],
    'recipes.use': () => [],
    'uploads.details': () => [],
    'uploads.describe': () => ({ changed: 0, items: [], refused: [] }),
    'uploads.unknown': () => ({ ids: [] }),
    'uploads.leftovers': () => ({ left: 0, pending: 0 }),
    'uploads.chooseCollection': () => ({ changed: 0 }),
    'uploads.add': async ({ paths }: CallInput<'uploads.add'>) => {
      await wait(200);
      const error = new PreviewError('file.empty').data;
      const skipped = paths.length > 2 ? [{ path: '/home/anna/Recordings/empty take.wav', error }] : [];
      return {
        batchId: 'b1',
        added: paths.length,
        addedBytes: 3e9,
        skipped,
        fallbackTitles: 0,
        skippedCount: skipped.length,
        sidecars: 0,
      };
    },
    'uploads.endPreview': () => null,
    'mediaFacts.read': ({ paths }: CallInput<'mediaFacts.read'>) =>
      paths.map((path) => ({ path, changed: null, recorded: null, mediaTags: {}, problem: null })),
    'mediaFacts.end': () => null,
    'uploads.list': (input: CallInput<'uploads.list'>) => uploads.list(input),
    'uploads.ids': (input: CallInput<'uploads.ids'>) => ({
      ids: uploads.list({ ...input, limit: 100_000 }).rows.map(({ id }) => id),
    }),
    'uploads.totals': () => uploads.totals(),
    'uploads.batch': ({ batchId }: CallInput<'uploads.batch'>) =>
      uploads.batches().find(({ id }) => id === batchId) ?? null,
    'uploads.batches': () => uploads.batches(),
    'uploads.outline': () => uploads.outline(),
    'uploads.clear': () => ({ changed: 0, undoId: null }),
    'uploads.undoClear': () => ({ changed: 0 }),
    'uploads.pause': (input: CallInput<'uploads.pause'>) => uploads.pause(input),
    'uploads.resume': (input: CallInput<'uploads.resume'>) => uploads.resume(input),
    'uploads.cancel': (input: CallInput<'uploads.cancel'>) => uploads.set(input, 'cancelled'),
    'uploads.cancelEffects': (input: CallInput<'uploads.cancelEffects'>) => uploads.effectsOfCancel(input),
    'uploads.cancelUnsent': (input: CallInput<'uploads.cancelUnsent'>) => uploads.cancelUnsent(input),
    'uploads.undoCancel': () => uploads.undoCancel(),
    'uploads.chooseItem': ({ id }: CallInput<'uploads.chooseItem'>) =>
      uploads.set({ kind: 'ids', ids: [id] }, 'queued'),
    'uploads.resolveDuplicates': ({ selection, choice }: CallInput<'uploads.resolveDuplicates'>) =>
      uploads.set(selection, choice === 'skip' ? 'skipped' : 'queued'),
    'uploads.retry': (input: CallInput<'uploads.retry'>) => uploads.set(input, 'queued'),
    'uploads.acceptReplaced': (input: CallInput<'uploads.acceptReplaced'>) => uploads.set(input, 'queued'),
    'uploads.pauseUntil': ({ until }: CallInput<'uploads.pauseUntil'>) => uploads.pauseUntil(until),
    'uploads.move': (input: CallInput<'uploads.move'>) => uploads.move(input.ids, input.before),
    'uploads.sendNext': ({ selection }: CallInput<'uploads.sendNext'>) => uploads.sendNext(selection),
    'uploads.setPriority': ({ selection, priority }: CallInput<'uploads.setPriority'>) =>
      uploads.setPriority(selection, priority),
    'app.doctor': () => ({ checkedAt: Date.now(), findings: [] }),
    'receipts.search': () => ({ total: 0, rows: [] }),
    'uploads.receipt': () => {
      throw new PreviewError('internal');
    },
    'shell.pickFiles': () => [
      '/home/anna/Rec/Lecture 09.mp4',
      '/home/anna/Rec/Lecture 10.mp4',
      '/home/anna/Rec/11.wav',
    ],
    'shell.pickFolder': () => ['/home/anna/Recordings'],
    'shell.chooseFolder': () => ({ path: '/home/anna/Uploaded' }),
    'shell.chooseSpreadsheet': () => ({ path: null }),
    'shell.saveSpreadsheet': () => ({ path: null }),
    'shell.saveReceipt': () => ({ path: '/home/anna/receipt.csv' }),
    'shell.showInFolder': () => null,
    'shell.openExternal': () => null,
    'shell.spelling': () => ({ isOfSystem: false, isOn: false, language: null, available: ['en-US'] }),
    'shell.setSpelling': () => ({ isOfSystem: false, isOn: false, language: null, available: ['en-US'] }),
    'shell.zoom': () => null,
    ...DESKTOP_HANDLERS,
    'shell.setTheme': ({ theme }: CallInput<'shell.setTheme'>) => {
      document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
      emit('onDidChangeTheme', { theme });
      return null;
    },
  };

  return {
    platform: 'linux',
    pathForFile: (file) => `/home/anna/Recordings/${(file as File).name}`,
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener as (data: never) => void));
      return () => set.delete(listener as (data: never) => void);
    },
    async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>> {
      try {
        return { ok: true, value: await (handlers[name] as (input: CallInput<N>) => CallOutput<N>)(input) };
      } catch (thrown) {
        if (thrown instanceof PreviewError) return { ok: false, error: thrown.data };
        throw thrown;
      }
    },
  };
}

function listedFiles(paths: readonly string[]): ListedFile[] {
  return paths.map((path, index) => {
    const [folderName = '', fileName = ''] = path.split('/').slice(-2);
    const problem = index === 2 ? appError('file.empty', { details: { path } }).toData() : null;
    const sizeBytes = problem === null ? 1e9 + index : 0;
    return {
      path,
      fileName,
      folderName,
      sizeBytes,
      date: '2026-11-19',
      problem,
      unclear: null,
      isLikelyDuplicate: false,
      sidecars: [],
      details: null,
    };
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function syncStatusOf(siteId: string): SyncStatus {
  return { siteId, phase: 'none', isRunning: false, items: 0, total: null, syncedAt: null, error: null, vanished: 0 };
}
