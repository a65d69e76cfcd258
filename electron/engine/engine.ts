import type { ContentRef } from '../../shared/contract/content-address.ts';
import type {
  CallOutput,
  EngineCallName,
  EngineEventName,
  EventData,
  HandledInput,
  Theme,
} from '../../shared/contract/contract.ts';
import type { ThumbnailRef } from '../../shared/contract/thumbnail-address.ts';
import type { WeekStart } from '../../shared/model/calendar/calendar-days.ts';
import type { HourCycle } from '../../shared/model/date-time.ts';
import type { ContentAnswer } from './api/content-stream.ts';
import type { ShownContent } from './library/files/shown-content.ts';
import type { FetchedThumbnail } from './library/thumbnails/fetch-thumbnail.ts';
import type { BrowserOpener } from './ports/browser-opener.ts';
import type { Clock } from './ports/clock.ts';
import type { Disks } from './ports/disks.ts';
import type { Failpoints } from './ports/failpoints.ts';
import type { Files } from './ports/files.ts';
import type { FolderEvents } from './ports/folder-events.ts';
import type { FolderWalker } from './ports/folder-walker.ts';
import type { Hashes } from './ports/hashes.ts';
import type { Keychain } from './ports/keychain.ts';
import type { Logger } from './ports/logger.ts';
import type { OpenFiles } from './ports/open-files.ts';
import type { PlayerWindows } from './ports/player-windows.ts';
import type { ProxyResolver } from './ports/proxy-resolver.ts';
import type { Random } from './ports/random.ts';
import type { TrashCan } from './ports/system/node-file-mover.ts';
import type { SystemSignals } from './ports/system-signals.ts';
import type { Volumes } from './ports/volumes.ts';

/** What a host (the shell, the command line, a test) supplies. */
export interface EngineHost {
  /** The folder of this profile: queue, settings, mirrors, thumbnails, lock. It is created if it is missing. */
  profileDir: string;
  version: string;
  platform: string;
  clock: Clock;
  random: Random;
  keychain: Keychain;
  logger: Logger;
  /** How sign-in pages are shown; null when the host has no such opener. */
  openers: { embedded: BrowserOpener | null; system: BrowserOpener | null };
  /** Shows players of libraries; absent: the host has no windows. */
  players?: PlayerWindows;
  /** Filled into the sign-in form. */
  presets: { baseUrl: string; clientId: string };
  /** The theme that the user chose for the window, if the host has one; `system` unless given. */
  theme?(): Theme;
  /** How the system shows times of day. */
  hourCycle?: HourCycle;
  /** The day with which the system begins weeks; Monday unless given. */
  weekStart?: WeekStart;
  /** Puts a file into the trash of the system; null or absent when there is none. */
  trash?: TrashCan | null;
  /** The disks of this computer; detected unless given. */
  disks?: Disks;
  /** The local files; those of the system unless given. */
  files?: Files;
  /** The mounted drives and shares; detected unless given. */
  volumes?: Volumes;
  /** Lists watched folders; threads of the engine unless given. */
  folderWalker?: FolderWalker;
  /** Events of changed folders; those of the system unless given. */
  folderEvents?: FolderEvents;
  /** The files that other programs have open; detected unless given. */
  openFiles?: OpenFiles;
  /** Computes hashes of sent files; threads of the engine unless given. */
  hashes?: Hashes;
  /** The desktop's reports about sleep and network; without them the clocks detect a sleep. */
  signals?: SystemSignals;
  /** Evaluates PAC scripts and reads the proxy settings of the system; null or absent: nothing here does. */
  proxyResolver?: ProxyResolver | null;
  /** The environment variables that name a proxy; those of this process unless given. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The number of parallel transfers, overriding the user's setting. */
  parallelTransfers?: number;
  /** How long signed addresses of files are valid, in seconds; only a test sets it. */
  contentTtlSeconds?: number;
  /** Only tests supply them. */
  failpoints?: Failpoints;
  /** The size limit of thumbnails on disk; only tests override it. */
  thumbnailCacheBytes?: number;
  /** The number of rows of a command per transaction; only tests override it. */
  sliceRows?: number;
}

/**
 * All work of the app without windows, behind the contract: queue, mirrors, edits, watched folders. `createEngine(host)` in
 * `create-engine.ts` creates it.
 */
export interface Engine {
  /** Throws `AppError`. The input has passed its schema. */
  call<N extends EngineCallName>(name: N, input: HandledInput<N>): Promise<CallOutput<N>>;
  on<N extends EngineEventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  /** Returns the thumbnail of an item; null when none can be shown, for whatever reason. */
  thumbnail(ref: ThumbnailRef, signal: AbortSignal): Promise<FetchedThumbnail | null>;
  /**
   * Opens a file of an item for the window. `rangeHeader`: the Range header of the request. Throws `AppError`; the body throws
   * when the bytes can't be read to the end.
   */
  content(ref: ContentRef, rangeHeader: string | null, signal: AbortSignal): Promise<ShownContent>;
  /**
   * GET of an address that belongs to no library, by the proxy and with the certificates of the settings. Returns the answer with any
   * status that is no redirect. Throws `network.*`, and `content.address-refused` for a redirect to a less safe address.
   */
  open(url: URL, signal: AbortSignal): Promise<ContentAnswer>;
  /** Starts to work on the queue. Before this, uploads can be added and listed, but nothing is sent. */
  startUploads(): void;
  /** Starts to watch the folders. Their files are uploaded once `startUploads` was called too. */
  startWatching(): void;
  /**
   * Keeps a copy of the library of each signed-in account up to date, once `startUploads` was called too. Before this,
   * only `library.syncNow` reads a library into its copy.
   */
  startSyncing(): void;
  /**
   * Starts to send edits that wait in the journal. A process that creates or decides edits does this by itself; a process that
   * only lists them sends nothing.
   */
  startEdits(): void;
  /** Resolves when no edit can be sent without the user, or without a library that can't be reached now. */
  whenEditsIdle(): Promise<void>;
  /** Resolves when each edit waits: for the user, for a library that can't be reached, or for the time of its next attempt. */
  whenEditsWait(): Promise<void>;
  /**
   * Resolves when no upload can continue without the user: each has ended, is paused, or waits for a sign-in or a similar action.
   * Waiting for a retry or for the network does not count as idle.
   */
  whenUploadsIdle(): Promise<void>;
  /** Stops transfers, closes the store and frees the profile. Idempotent. */
  stop(): Promise<void>;
}
