import type { MediaRef } from '../../../../../shared/contract/media-ref.ts';
import type { Site } from '../../../../../shared/contract/sites.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { throwDefect } from '../../../../kit/text/errors.ts';
import type { WaveformLimits } from '../../../../kit/waveform/peak-collector.ts';
import { usePlayer } from '../files/player-store.ts';
import { bySize, isOf, readItem, soundOf } from './read-item.ts';
import { dropWaveform, forgetSignedOut, readWaveform, storeWaveform, takeWaveform } from './waveform-store.ts';

/** The limits for a recording that is only visible, not opened. */
const VISIBLE: WaveformLimits = { bytes: 64 * 1024 * 1024, seconds: 4 * 3600, ms: 60_000 };
/** What may be received from libraries for all of them together, until the program ends. */
const SESSION_BYTES = 512 * 1024 * 1024;
/** An item that leaves the view within this time causes no request. */
const SETTLE_MS = 1500;

interface Wanted {
  ref: MediaRef;
  itemVersion: string;
  ended: AbortController;
}

/** The visible items without a waveform, in the order in which they came into view. */
const wanted = new Set<Wanted>();
/** The versions of the items that were tried in this session, by account and item: none is tried twice. */
const tried = new Map<string, Map<string, string>>();
let isRunning = false;
let receivedBytes = 0;

const isTried = ({ ref, itemVersion }: Wanted) => tried.get(ref.siteId)?.get(ref.mediaId) === itemVersion;

function noteTried({ ref, itemVersion }: Wanted): void {
  const ofSite = tried.get(ref.siteId) ?? new Map<string, string>();
  tried.set(ref.siteId, ofSite.set(ref.mediaId, itemVersion));
}

/** Forgets accounts that are signed out: their waveforms, and what was tried. */
export function forgetWaveforms(sites: readonly Site[]): void {
  const usable = forgetSignedOut(sites);
  for (const siteId of [...tried.keys()]) if (!usable.has(siteId)) tried.delete(siteId);
}

/**
 * Gets the waveform of an item that became visible. A stored one is shown at once. Without one, and when the item has another version
 * than its waveform, the library is asked: while the window is idle and the player is closed, one item after the other. A file is
 * only read if it is small. Returns the function to call when the item is no longer visible: it ends the reading.
 */
export function wantWaveform(ref: MediaRef, itemVersion: string): () => void {
  const item: Wanted = { ref, itemVersion, ended: new AbortController() };
  const timer = window.setTimeout(() => {
    wanted.add(item);
    runWhenIdle();
  }, SETTLE_MS);
  void readWaveform(ref);
  return () => {
    window.clearTimeout(timer);
    wanted.delete(item);
    item.ended.abort();
  };
}

function runWhenIdle(): void {
  if (isRunning || wanted.size === 0) return;
  isRunning = true;
  requestIdleCallback(() => {
    void runNext().finally(() => {
      isRunning = false;
      runWhenIdle();
    });
  });
}

async function runNext(): Promise<void> {
  const [item] = wanted;
  if (item === undefined) return;
  if (usePlayer.getState().shown !== null || document.visibilityState !== 'visible') await whenQuiet();
  if (!wanted.delete(item) || item.ended.signal.aborted || isTried(item)) return;
  const reading = new AbortController();
  const end = () => reading.abort();
  item.ended.signal.addEventListener('abort', end);
  const endOfPlayer = usePlayer.subscribe(({ shown }) => {
    if (shown !== null) end();
  });
  try {
    await readOne(item, reading.signal);
  } catch (error) {
    // The library can't be reached, or refused the item: it keeps its icon.
    throwDefect(error);
  } finally {
    endOfPlayer();
    item.ended.signal.removeEventListener('abort', end);
    if (!reading.signal.aborted) noteTried(item);
    // The player ended it, and the item is still visible.
    else if (!item.ended.signal.aborted) wanted.add(item);
  }
}

async function readOne({ ref, itemVersion }: Wanted, signal: AbortSignal): Promise<void> {
  const known = await readWaveform(ref);
  if (known?.itemVersion === itemVersion) return;
  const { files } = await call('library.media', ref);
  if (signal.aborted) return;
  const item = { ...ref, itemVersion, versions: soundOf(files) };
  if (known && isOf(known, item)) {
    // The item has changed, but not its recording.
    const same = { ...known, itemVersion };
    takeWaveform(ref, same);
    storeWaveform(ref, same);
    return;
  }
  if (known) dropWaveform(ref);
  const size = bySize(item.versions)[0]?.file.size ?? Number.POSITIVE_INFINITY;
  if (size > VISIBLE.bytes || receivedBytes + size > SESSION_BYTES) return;
  const onReceived = (bytes: number) => {
    receivedBytes += bytes;
  };
  await readItem(item, { limits: VISIBLE, signal, onReceived });
}

/** Resolves when the player is closed and the window is visible. */
function whenQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (usePlayer.getState().shown !== null || document.visibilityState !== 'visible') return;
      end();
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    const end = usePlayer.subscribe(look);
    document.addEventListener('visibilitychange', look);
  });
}
