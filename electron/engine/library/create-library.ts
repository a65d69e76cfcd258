import type { MediaItem } from '../../../shared/api/media.ts';
import type { CallOutput, EngineCallName, HandledInput } from '../../../shared/contract/contract.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { Accounts } from '../account/accounts.ts';
import { getMedia } from '../api/media.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShownPlayer } from '../ports/player-windows.ts';
import { collectionHandlers } from './collections/collection-handlers.ts';
import type { CollectionIndex } from './collections/collection-index.ts';
import { CollectionReads } from './collections/collection-reads.ts';
import { CollectionTrees } from './collections/collection-trees.ts';
import { treeHandlers } from './collections/tree-handlers.ts';
import type { LibraryEdits } from './edit-port.ts';
import { createFileFactsReader } from './items/file-facts-reader.ts';
import { ItemDetails } from './items/item-details.ts';
import { createMediaAccess } from './items/media-access.ts';
import { mediaHandlers } from './items/media-handlers.ts';
import { MediaLists } from './items/media-lists.ts';
import { SeenDetails } from './items/seen-details.ts';
import { titleHandlers } from './items/title-handlers.ts';
import { type LibraryChange, LibraryChanges } from './library-changes.ts';

type LibraryCallName = Exclude<Extract<EngineCallName, `library.${string}`>, 'library.syncStatus' | 'library.syncNow'>;
type LibraryHandlers = {
  [N in LibraryCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

/** The handlers that read and change a library. Fetched data is cached until it is stale. */
export interface Library {
  handlers: LibraryHandlers;
  onDidChangeLibrary(listener: (change: LibraryChange) => void): () => void;
  /**
   * Called when another part of the engine changed something, for example when an upload is complete. Invalidates the
   * cache of the site and notifies listeners, at most once a second.
   */
  noteChange(change: LibraryChange): void;
  /** Called when the mirror of an account received changes: screens load again. */
  noteSync(siteId: string): void;
  /** Returns every item of a query from the library, in its order. Pages are fetched on demand. */
  itemsOf(query: MediaQuery): AsyncIterable<MediaItem>;
  /** All collections that the account may list, from the cache if it is fresh; offline those of the copy. */
  collectionIndex(siteId: string): Promise<CollectionIndex>;
  stop(): void;
}

/** The mirrors as the library reads them, and the passes that it requests. */
export interface SyncedMirrors {
  mirrors: Mirrors;
  syncs: { freshen(siteId: string): Promise<void>; passSoon(siteId: string): void; passNow(siteId: string): void };
}

/** Connects the calls about the libraries of all accounts with their caches. */
export function createLibrary(
  options: SyncedMirrors & {
    accounts: Pick<Accounts, 'clientFor' | 'list' | 'onDidChangeSites'>;
    clock: Clock;
    /** A function, because the edits are created after the library. */
    edits(): LibraryEdits;
    /** Shows a player in a window; absent: this host has no windows. */
    showPlayer?(player: ShownPlayer): Promise<void>;
  },
): Library {
  const { accounts, clock, mirrors, syncs, edits } = options;
  const clientFor = (siteId: string) => accounts.clientFor(siteId);
  const fileFacts = createFileFactsReader();
  const seen = new SeenDetails();
  const trees = new CollectionTrees({ clientFor, mirrors, edits });
  const freshen = (siteId: string) => syncs.freshen(siteId);
  const lists = new MediaLists({ clientFor, clock, trees, mirrors, freshen, edits });
  const details = new ItemDetails({ clientFor, trees, mirrors, seen, edits });
  const access = createMediaAccess({
    accounts,
    clock,
    showPlayer: async (player) => options.showPlayer?.(player),
    itemOf: async (siteId, mediaId) => seen.get(siteId, mediaId)?.item ?? (await getMedia(clientFor(siteId), mediaId)),
    itemsOf: (selection) => lists.selected(selection),
  });
  const forget = (siteId: string) => {
    trees.forget(siteId);
    lists.forget(siteId);
    access.forget(siteId);
  };
  const changes = new LibraryChanges({ clock, forget, passSoon: (siteId) => syncs.passSoon(siteId) });
  const changing: LibraryChanges['changing'] = (change, task) => changes.changing(change, task);
  const storedTree = (siteId: string) => trees.cacheOf(siteId).stored();
  const reads = new CollectionReads({ clientFor, edits, mirrors, storedTree });
  const handlers: LibraryHandlers = {
    ...access.handlers,
    ...collectionHandlers({
      clientFor,
      edits,
      reads,
      trees: (siteId) => trees.both(siteId),
      changing,
    }),
    ...treeHandlers({ accounts, trees, edits }),
    ...titleHandlers({ clientFor, mirrors }),
    ...mediaHandlers({ clientFor, clock, mirrors, lists, details, fileFacts, changes, edits }),
    async 'library.refresh'({ siteId }) {
      accounts.clientFor(siteId);
      forget(siteId);
      syncs.passNow(siteId);
      changes.announceAll(siteId);
      return null;
    },
  };
  const endSites = forgetOtherOwners(accounts, (siteId) => {
    forget(siteId);
    seen.forget(siteId);
  });

  return {
    handlers,
    onDidChangeLibrary: (listener) => changes.on(listener),
    collectionIndex: (siteId) => trees.cacheOf(siteId).index(),
    noteSync(siteId) {
      forget(siteId);
      changes.announceAll(siteId);
    },
    noteChange: (change) => changes.note(change),
    itemsOf: (query) => lists.itemsOf(query),
    stop() {
      fileFacts.stop();
      endSites();
      changes.stop();
    },
  };
}

/**
 * Calls `forget` when another account uses a site: data of one account is never shown to another. Returns the function that
 * unsubscribes.
 */
function forgetOtherOwners(
  accounts: Pick<Accounts, 'list' | 'onDidChangeSites'>,
  forget: (siteId: string) => void,
): () => void {
  const owners = new Map<string, string>();
  const onSites = (sites: Site[]) => {
    for (const site of sites) {
      const owner = `${site.state} ${site.clientId} ${site.accountName ?? ''}`;
      if (owners.get(site.id) !== owner) forget(site.id);
      owners.set(site.id, owner);
    }
  };
  const end = accounts.onDidChangeSites(onSites);
  onSites(accounts.list());
  return end;
}
