import type { EventData } from '../../../../shared/contract/contract.ts';
import type { ListedBatch, UploadTotals } from '../../../../shared/contract/uploads.ts';
import { countFor } from '../../../../shared/model/uploads/upload-counts.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { announce, attempt, notifyWithAction } from '../../common/state/messages-store.ts';
import { type Announced, announcementsFor, spokenTogether } from './announcements.ts';
import { mergeRows } from './merge-rows.ts';
import { arrange, openTab, revealBatch, takeBatches, uploadWindows, useOutline } from './outline/outline-store.ts';
import { SteadyEstimate } from './steady-estimate.ts';
import { texts } from './texts.ts';
import { listedBatch, useUploads } from './uploads-store.ts';

const totalsReads = latestOnly();
const batchReads = latestOnly();

/** Loads totals and batches, at the start and after the account changed. */
export async function loadUploads(): Promise<void> {
  await attempt(async () => {
    const read = totalsReads.begin();
    const totals = await call('uploads.totals', null);
    if (read.accept()) useUploads.setState({ totals: steadyTotals(totals) });
    await loadBatches();
  });
}

/** The batches of events that arrived since the latest load began: the answer of that load may be older. */
const changedMeanwhile = new Map<string, ListedBatch>();

async function loadBatches(): Promise<void> {
  const read = batchReads.begin();
  changedMeanwhile.clear();
  const batches = await call('uploads.outline', null);
  if (!read.accept()) return;
  const isFirst = !useUploads.getState().isLoaded;
  const latest = mergedBatches(batches.map(steadyBatch), [...changedMeanwhile.values()]);
  useUploads.setState({ batches: latest, isLoaded: true });
  if (isFirst) arrange();
  else takeBatches();
  speak.schedule();
}

/** Opens the list of all uploads, for example after the account changed. */
export function openUploads(): void {
  openTab('all');
}

/** Shows the uploads of a batch. When the user cleared all of them, shows a message that offers to list them again. */
export function showBatch(batchId: string): void {
  if (listedBatch(batchId) !== undefined) {
    revealBatch(batchId);
    return;
  }
  const run = () =>
    void attempt(async () => {
      await call('uploads.undoClear', { selection: { kind: 'batch', batchId } });
      await loadBatches();
      revealBatch(batchId);
    });
  notifyWithAction(texts.batchCleared, { label: texts.listAgain, hint: texts.listAgain, run }, CLEARED_SHOWN_MS);
}

const CLEARED_SHOWN_MS = 10_000;

/** Shows the uploads that were just added. */
export function openForAdded(batchId: string): void {
  revealBatch(batchId);
  void attempt(loadBatches);
}

/** The shortest time between two refreshes of rows, however fast uploads change. */
const REFRESH_MS = 400;

/** Batches whose rows are to be loaded again; null: all. */
let outdated: Set<string> | null = new Set();

const refresh = delayed(() => {
  if (outdated === null) uploadWindows.refresh();
  else for (const id of outdated) uploadWindows.refresh(id);
  outdated = new Set();
}, REFRESH_MS);

/** Loads the visible rows and the batches again immediately, because a command changed them. */
export function refreshUploads(): void {
  outdated = null;
  refresh.runNow();
  void attempt(loadBatches);
}

/** Handles an event of the engine: changed rows, batches and totals immediately; changed lists with the next refresh. */
export function takeUploads(data: EventData<'onDidChangeUploads'>): void {
  totalsReads.cancel();
  const changed = mergeRows(useUploads.getState().rows, data.rows);
  const batches = data.batches.map(steadyBatch);
  for (const batch of batches) changedMeanwhile.set(batch.id, batch);
  const before = new Map(data.batches.map(({ id }) => [id, listedBatch(id)]));
  useUploads.setState((state) => ({
    totals: steadyTotals(data.totals),
    tick: changed.length > 0 ? state.tick + 1 : state.tick,
    batches: batches.length === 0 ? state.batches : mergedBatches(state.batches, batches),
  }));
  if (batches.length > 0) takeBatches();
  if (data.outline) void attempt(loadBatches);
  noteOutdated(data, before);
  if (data.structure) speak.schedule();
}

function noteOutdated(
  { batches, structure, relist, outline }: EventData<'onDidChangeUploads'>,
  before: ReadonlyMap<string, ListedBatch | undefined>,
): void {
  const { tab } = useOutline.getState();
  // In the tab of all uploads, a change of state moves no row: only added and cleared uploads change the list.
  const isSameList = ({ id, listed }: ListedBatch) => {
    const last = before.get(id)?.listed;
    return last !== undefined && countFor('unskipped', last) === countFor('unskipped', listed);
  };
  if (relist || outline) outdated = null;
  else if (structure && outdated !== null) {
    for (const batch of batches) if (tab !== 'all' || !isSameList(batch)) outdated.add(batch.id);
  }
  if (outdated === null || outdated.size > 0) refresh.schedule();
}

/** Replaces changed batches, adds new batches at the front and removes batches without listed uploads. */
function mergedBatches(batches: readonly ListedBatch[], changed: readonly ListedBatch[]): ListedBatch[] {
  const byId = new Map(changed.map((batch) => [batch.id, batch]));
  const isListed = ({ listed }: ListedBatch) => countFor('all', listed) > 0;
  const kept = batches.flatMap((batch) => {
    const next = byId.get(batch.id) ?? batch;
    byId.delete(batch.id);
    return isListed(next) ? [next] : [];
  });
  const added = [...byId.values()].filter(isListed);
  if (added.length === 0) return kept;
  return [...added, ...kept].sort((a, b) => b.addedAt - a.addedAt);
}

const ofTotals = new SteadyEstimate();
const ofBatches = new Map<string, SteadyEstimate>();

/** Returns the totals with a speed and a time left that change slowly enough to be read. */
function steadyTotals(totals: UploadTotals): UploadTotals {
  const bytesLeft = totals.totalBytes - totals.sentBytes;
  return { ...totals, ...ofTotals.update(Date.now(), totals.bytesPerSecond, bytesLeft) };
}

function steadyBatch(batch: ListedBatch): ListedBatch {
  const { id, progress } = batch;
  if (progress.bytesPerSecond <= 0) {
    ofBatches.delete(id);
    return batch;
  }
  const estimate = ofBatches.get(id) ?? new SteadyEstimate();
  ofBatches.set(id, estimate);
  const steady = estimate.update(Date.now(), progress.bytesPerSecond, progress.totalBytes - progress.sentBytes);
  return { ...batch, progress: { ...progress, ...steady } };
}

let announced: ReadonlyMap<string, Announced> = new Map();

/** The minimum time between two announcements, so that one can be heard to its end. */
const ANNOUNCE_MS = 3000;

const speak = delayed(() => {
  const next = announcementsFor(useUploads.getState().batches, announced);
  announced = next.announced;
  if (next.sentences.length > 0) announce(spokenTogether(next.sentences));
}, ANNOUNCE_MS);
