import { type AppError, type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { RunningWork, UpdateInstaller, UpdatePhase, Updates } from '../../../shared/contract/updates.ts';
import { type Feed, feedName } from '../../../shared/model/updates/feed-text.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import type { AppInstaller, Offer } from './app-installer.ts';
import { fetchFeed, type OpenAddress } from './fetch-update.ts';
import { type FeedVerdict, judgeVersion, trustFeed } from './judge-feed.ts';
import { isInStage } from './stage.ts';
import type { UpdateMemory } from './update-memory.ts';
import { isSafeAddress, type UpdateSource } from './update-source.ts';

export interface UpdatesOptions {
  version: string;
  platform: NodeJS.Platform;
  arch: string;
  source: UpdateSource | null;
  who: UpdateInstaller;
  /** The extension of the file to install, and what installs it; null unless the app itself does. */
  installer: { extension: string; of: AppInstaller } | null;
  memory: UpdateMemory;
  open: OpenAddress;
  clock: Clock;
  logger: Logger;
  /** The work that a restart would interrupt; null: not known yet. */
  running(): RunningWork | null;
  /** Whether the user sees the window. */
  isShown(): boolean;
  onDidChange(updates: Updates): void;
  /** Ends the engine, calls `install` of the installer, and ends the app. */
  restart(): void;
}

/** Updates of the app: looks for them, downloads them, and lets them be installed. */
export interface AppUpdates {
  state(): Updates;
  /** Looks once a day, while the user sees the window. */
  start(): void;
  /** `isManual`: the user asks. Then it doesn't matter which share of installations is offered the version. */
  check(isManual: boolean): Promise<Updates>;
  download(): Promise<Updates>;
  /** Throws `update.busy`. */
  install(): void;
  setAutomatic(isAutomatic: boolean): Updates;
  /** The installation failed after the engine had ended: shown after the next start. */
  noteNotInstalled(error: AppError): void;
  /** The running work changed. */
  noteWork(): void;
  stop(): void;
}

const DAY_MS = 24 * 3_600_000;
/** The window is drawn and the queue is running before the first check. */
const FIRST_CHECK_MS = 20_000;
const LOOK_EVERY_MS = 15 * 60_000;
const PROGRESS_EVERY_MS = 200;

/** Creates the updates. Without a source, the network is never used. */
export function createUpdates(options: UpdatesOptions): AppUpdates {
  const { version, source, who, installer, memory, clock, logger } = options;
  const stopped = new AbortController();
  let phase: UpdatePhase = 'unknown';
  let offer: { version: string; notes: string; full: Offer | null } | null = null;
  let progress: number | null = null;
  let problem: AppErrorData | null = null;
  let cancelTimer: (() => void) | null = null;
  let under: Promise<void> | null = null;

  const failed = memory.get().notInstalled;
  if (failed !== null) [phase, problem] = ['failed', failed];

  function state(): Updates {
    const { isAutomatic, checkedAt } = memory.get();
    const shown = offer && { version: offer.version, notes: offer.notes, sizeBytes: offer.full?.file.size ?? null };
    return {
      version,
      installer: who,
      isAutomatic,
      phase,
      checkedAt,
      offer: shown,
      progress,
      problem,
      running: options.running(),
    };
  }
  function become(next: UpdatePhase, because: AppErrorData | null = null): void {
    [phase, problem] = [next, because];
    options.onDidChange(state());
  }
  function remember(patch: Parameters<UpdateMemory['set']>[0]): void {
    try {
      memory.set(patch);
    } catch (error) {
      logger.warn('update.not-remembered', { reason: String(error) });
    }
  }
  /** Returns the phase after an error. */
  function afterError(error: AppError): UpdatePhase {
    const isOfOthers = error.code.startsWith('network.') || error.code === 'internal';
    return isOfOthers || FAILURES.has(error.code) ? 'failed' : 'refused';
  }
  function logFailure({ code, details, cause }: AppError): void {
    logger.warn('update.failed', { code, details, cause: String(cause ?? '') });
  }
  /** Runs one check or download at a time. */
  async function once(work: () => Promise<void>): Promise<Updates> {
    if (under === null) {
      under = work()
        .catch(async (thrown: unknown) => {
          if (stopped.signal.aborted) return;
          const error = toAppError(thrown);
          logFailure(error);
          progress = null;
          const next = afterError(error);
          if (next === 'refused') await tidy();
          become(next, error.toData());
        })
        .finally(() => {
          under = null;
        });
    }
    await under;
    return state();
  }

  async function ask(from: UpdateSource): Promise<FeedVerdict> {
    const feedUrl = feedAddress(from, options);
    const bytes = await fetchFeed(options.open, feedUrl, stopped.signal);
    const now = clock.now();
    remember({ checkedAt: now });
    const { newestSeen } = memory.get();
    const { platform, arch } = options;
    const extension = installer?.extension ?? null;
    const facts = { keys: from.keys, ownVersion: version, platform, arch, now, newestSeen, extension };
    const feed = trustFeed(bytes, facts);
    // Also when its version is refused: a feed before it, without the versions that it blocks, must not follow.
    remember({ newestSeen: Date.parse(feed.releaseDate) });
    return judgeVersion(feed, facts);
  }

  async function lookFor(isManual: boolean, from: UpdateSource): Promise<void> {
    const before = offer;
    const wasReady = phase === 'ready';
    offer = null;
    // Shown until the next check, also after further starts.
    if (memory.get().notInstalled !== null) remember({ notInstalled: null });
    become('checking');
    let verdict: FeedVerdict;
    try {
      verdict = await ask(from);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!wasReady || stopped.signal.aborted || afterError(error) !== 'failed') throw thrown;
      // Nobody said that what was downloaded is no longer good.
      logFailure(error);
      offer = before;
      return become('ready', error.toData());
    }
    const { feed } = verdict;
    logger.info('update.checked', { version: feed.version, kind: verdict.kind });
    if (verdict.kind === 'current') {
      await tidy();
      return become('current');
    }
    // A version that is ready was chosen before.
    const isOffered = isManual || wasReady || isInStage(memory.get().stageId, feed.version, feed.stagingPercentage);
    if (!isOffered) return become('current');
    offer = { version: feed.version, notes: feed.releaseNotes, full: fullOffer(verdict, from, options) };
    const isSame = wasReady && before?.full?.file.sha512 === offer.full?.file.sha512;
    become(isSame ? 'ready' : 'available');
  }

  /** An installed or withdrawn version needs no room. */
  async function tidy(): Promise<void> {
    await installer?.of.tidy().catch((error: unknown) => logger.warn('update.not-tidied', { reason: String(error) }));
  }

  async function fetchOffer({ of }: { of: AppInstaller }, wanted: Offer): Promise<void> {
    progress = 0;
    become('downloading');
    await of.requireReplaceable();
    let reportedAt = 0;
    const onProgress = (share: number) => {
      progress = share;
      const at = clock.monotonic();
      if (at - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = at;
      options.onDidChange(state());
    };
    await of.prepare(wanted, onProgress, stopped.signal);
    progress = null;
    become('ready');
  }

  const look = () => {
    cancelTimer = clock.schedule(LOOK_EVERY_MS, look);
    const { isAutomatic, checkedAt } = memory.get();
    // A clock that was set back must not end the checks.
    const isDue = checkedAt === null || Math.abs(clock.now() - checkedAt) >= DAY_MS;
    // A version that is ready is looked at, too: it may have been withdrawn.
    const isFree = phase !== 'downloading' && phase !== 'installing';
    if (source !== null && isAutomatic && isDue && isFree && options.isShown()) void once(() => lookFor(false, source));
  };

  return {
    state,
    start() {
      if (source !== null) cancelTimer = clock.schedule(FIRST_CHECK_MS, look);
    },
    async check(isManual) {
      if (source === null) throw appError('update.not-available');
      return once(() => lookFor(isManual, source));
    },
    async download() {
      const wanted = offer?.full ?? null;
      if (installer === null || wanted === null) throw appError('update.not-available');
      return once(() => fetchOffer(installer, wanted));
    },
    install() {
      const running = options.running();
      if (phase !== 'ready') throw appError('update.not-available');
      if (running === null || isWorking(running)) throw appError('update.busy', { details: { ...running } });
      become('installing');
      options.restart();
    },
    setAutomatic(isAutomatic) {
      memory.set({ isAutomatic });
      options.onDidChange(state());
      return state();
    },
    noteNotInstalled({ code, message, details }) {
      const shown = appError('update.not-installed', { details: { ...details, code, reason: message } });
      remember({ notInstalled: shown.toData() });
    },
    noteWork() {
      if (phase === 'ready') options.onDidChange(state());
    },
    stop() {
      cancelTimer?.();
      stopped.abort();
    },
  };
}

/** Errors that are no judgement about the offered version. */
const FAILURES: ReadonlySet<string> = new Set([
  'update.unreachable',
  'update.no-feed',
  'update.download-cut',
  'update.disk-full',
  'update.target-read-only',
]);

/** Returns whether a restart would interrupt something. */
function isWorking({ uploads, downloads, edits, sweeps }: RunningWork): boolean {
  return uploads + downloads + edits + sweeps > 0;
}

function feedAddress({ feedUrl }: UpdateSource, { platform, arch, clock }: UpdatesOptions): URL {
  const url = new URL(feedName(platform as Feed['platform'], arch), feedUrl);
  if (!isSafeAddress(url)) throw appError('update.address-insecure', { details: { host: url.host } });
  // A proxy on the way may keep files.
  url.searchParams.set('at', String(Math.floor(clock.now() / 60_000)));
  return url;
}

function fullOffer(
  verdict: FeedVerdict & { kind: 'newer' },
  { feedUrl }: UpdateSource,
  options: UpdatesOptions,
): Offer | null {
  const { feed, file } = verdict;
  if (file === null || options.installer === null) return null;
  const { version, releaseNotes: notes, releaseDate: signedAt } = feed;
  return { version, notes, file, url: new URL(file.url, feedUrl), signedAt };
}
