import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CallInput, EventData } from '../../../shared/contract/contract.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type {
  Batch,
  CancelEffects,
  ListedBatch,
  UploadRow,
  UploadSelection,
  UploadTotals,
} from '../../../shared/contract/uploads.ts';
import type { CancelEffect } from '../../../shared/model/uploads/cancel-effects.ts';
import {
  FILTER_STATES,
  isEnded,
  UPLOAD_STATES,
  type UploadState,
} from '../../../shared/model/uploads/upload-states.ts';

const START: readonly UploadState[] = [
  'sending',
  'sending',
  'sending',
  'processing',
  'finishing',
  'waiting',
  'failed',
  'paused',
  'skipped',
];

const ERRORS: Partial<Record<UploadState, ErrorCode>> = {
  waiting: 'upload.connection-lost',
  failed: 'upload.processing-failed',
  skipped: 'file.empty',
};

/** A queue in memory that makes progress, ten times a second. */
export class PreviewUploads {
  readonly #rows: UploadRow[];
  readonly #emit: (data: EventData<'onDidChangeUploads'>) => void;
  #paused = false;
  #undo: UploadRow[] = [];
  #pausedUntil: number | null = null;
  #blocked: AppErrorData | null = null;

  constructor(count: number, emit: (data: EventData<'onDidChangeUploads'>) => void, moves: boolean) {
    this.#rows = Array.from({ length: count }, (_, index) => makeUpload(index, count));
    this.#emit = emit;
    if (moves && count > 0) setInterval(() => this.#tick(), 100);
  }

  block(error: AppErrorData): void {
    this.#blocked = error;
  }

  #tick(): void {
    if (this.#paused || this.#blocked !== null) return;
    const moving = this.#rows.filter((row) => row.state === 'sending');
    const changed: UploadRow[] = [];
    let structure = false;
    for (const row of moving) {
      const sentBytes = Math.min(row.sizeBytes, row.sentBytes + (row.bytesPerSecond ?? 0) / 10);
      const ended = sentBytes >= row.sizeBytes;
      const next: UploadRow = { ...row, sentBytes, state: ended ? 'complete' : 'sending' };
      next.secondsLeft = ended ? null : (row.sizeBytes - sentBytes) / (row.bytesPerSecond ?? 1);
      this.#replace(next);
      changed.push(next);
      if (!ended) continue;
      structure = true;
      const queued = this.#rows.find((other) => other.state === 'queued');
      if (queued !== undefined) {
        const started: UploadRow = { ...queued, state: 'sending', bytesPerSecond: 12e6, secondsLeft: 60, attempts: 1 };
        this.#replace(started);
        changed.push(started);
      }
    }
    this.#changed(changed, structure);
  }

  #changed(rows: UploadRow[], structure: boolean): void {
    const batches = this.outline();
    this.#emit({ rows, batches, totals: this.totals(), structure, relist: structure, outline: false });
  }

  outline(): ListedBatch[] {
    return this.batches().map((batch) => ({
      ...batch,
      listed: { counts: batch.counts, duplicates: batch.duplicates },
      progress: { totalBytes: 4e9, sentBytes: 1e9, bytesPerSecond: 12_600_000, secondsLeft: 240 },
    }));
  }

  #replace(row: UploadRow): void {
    this.#rows[this.#rows.findIndex(({ id }) => id === row.id)] = row;
  }

  list(input: CallInput<'uploads.list'>): { total: number; rows: UploadRow[] } {
    const states: readonly UploadState[] = FILTER_STATES[input.filter ?? 'all'];
    const rows = this.#rows.filter((row) => states.includes(row.state));
    const offset = input.offset ?? 0;
    return { total: rows.length, rows: rows.slice(offset, offset + (input.limit ?? 100)) };
  }

  totals(): UploadTotals {
    const live = this.#rows.filter((row) => row.state !== 'skipped');
    const totalBytes = live.reduce((sum, row) => sum + row.sizeBytes, 0);
    const sentBytes = live.reduce((sum, row) => sum + (row.state === 'complete' ? row.sizeBytes : row.sentBytes), 0);
    const bytesPerSecond = this.#rows.reduce(
      (sum, row) => sum + (row.state === 'sending' ? (row.bytesPerSecond ?? 0) : 0),
      0,
    );
    return {
      counts: this.#counts(),
      totalBytes,
      sentBytes,
      bytesPerSecond: this.#paused ? 0 : bytesPerSecond,
      secondsLeft: bytesPerSecond > 0 ? (totalBytes - sentBytes) / bytesPerSecond : null,
      paused: this.#paused,
      pausedUntil: this.#pausedUntil,
      limitBytesPerSecond: null,
      limitUntil: null,
      followUps: { pending: 0, failed: 0 },
      duplicates: 0,
      blockedBy: this.#blocked,
      blockedSiteId: this.#blocked === null ? null : 'site-1',
    };
  }

  #counts(): Batch['counts'] {
    const counts = Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as Record<UploadState, number>;
    for (const row of this.#rows) counts[row.state] += 1;
    return counts;
  }

  batches(): Batch[] {
    if (this.#rows.length === 0) return [];
    const totalBytes = this.#rows.reduce((sum, row) => sum + row.sizeBytes, 0);
    const base = {
      id: 'b1',
      siteId: 'site-1',
      collectionId: 'c6',
      collectionName: 'Physics',
      folderName: 'Recordings',
    };
    return [{ ...base, addedAt: Date.now() - 600_000, counts: this.#counts(), totalBytes, duplicates: 0 }];
  }

  pause(selection: UploadSelection): { changed: number } {
    if (selection.kind !== 'all') return this.set(selection, 'paused');
    this.#paused = true;
    this.#changed([], false);
    return { changed: 1 };
  }

  resume(selection: UploadSelection): { changed: number } {
    this.#paused = false;
    this.#pausedUntil = null;
    const result = selection.kind === 'all' ? { changed: 1 } : this.set(selection, 'sending');
    this.#changed([], false);
    return result;
  }

  pauseUntil(until: number | null): { changed: number } {
    this.#paused = until !== null;
    this.#pausedUntil = until;
    this.#changed([], false);
    return { changed: 1 };
  }

  move(ids: readonly string[], before: string | null): { changed: number } {
    const isMoving = (row: UploadRow) => ids.includes(row.id);
    const moving = this.#rows.filter(isMoving);
    const others = this.#rows.filter((row) => !isMoving(row));
    const at = before === null ? others.length : others.findIndex((row) => row.id === before);
    if (at === -1) return { changed: 0 };
    this.#rows.splice(0, this.#rows.length, ...others.toSpliced(at, 0, ...moving));
    this.#changed([], true);
    return { changed: moving.length };
  }

  sendNext(selection: UploadSelection): { changed: number } {
    const ids = this.#meant(selection).map((row) => row.id);
    this.setPriority({ kind: 'ids', ids }, 'high');
    const first = this.#rows.find((row) => !ids.includes(row.id));
    return this.move(ids, first?.id ?? null);
  }

  setPriority(selection: UploadSelection, priority: UploadRow['priority']): { changed: number } {
    const meant = this.#meant(selection);
    for (const row of meant) this.#replace({ ...row, priority });
    const order = ['high', 'normal', 'low'];
    this.#rows.sort((a, b) => order.indexOf(a.priority) - order.indexOf(b.priority));
    this.#changed([], true);
    return { changed: meant.length };
  }

  #meant(selection: UploadSelection): UploadRow[] {
    return this.#rows.filter((row) => {
      if (selection.kind === 'ids') return selection.ids.includes(row.id);
      return selection.kind === 'failed' ? row.state === 'failed' : !isEnded(row.state);
    });
  }

  effectsOfCancel(selection: UploadSelection): CancelEffects {
    const effects: CancelEffects = { waiting: 0, sending: 0, delivered: 0, kept: 0 };
    for (const row of this.#meant(selection)) effects[effectOf(row)] += 1;
    return effects;
  }

  cancelUnsent(selection: UploadSelection): { changed: number; undoId: string } {
    this.#undo = this.#meant(selection).filter((row) => effectOf(row) === 'waiting');
    const { changed } = this.set({ kind: 'ids', ids: this.#undo.map(({ id }) => id) }, 'cancelled');
    return { changed, undoId: 'u' };
  }

  undoCancel(): { changed: number } {
    const rows = this.#undo;
    this.#undo = [];
    for (const row of rows) this.#replace(row);
    this.#changed(rows, true);
    return { changed: rows.length };
  }

  set(selection: UploadSelection, state: UploadState): { changed: number } {
    const meant = this.#meant(selection);
    const rows = meant.map((row): UploadRow => ({ ...row, state, error: null }));
    for (const row of rows) this.#replace(row);
    this.#changed(rows, true);
    return { changed: rows.length };
  }
}

function effectOf({ state }: UploadRow): CancelEffect {
  if (state === 'processing' || state === 'finishing') return 'delivered';
  return state === 'sending' ? 'sending' : 'waiting';
}

function makeUpload(index: number, count: number): UploadRow {
  const complete = Math.floor(count / 4);
  const state =
    index < START.length ? (START[index] as UploadState) : index < START.length + complete ? 'complete' : 'queued';
  const sizeBytes = 40_000_000 + ((index * 7_919_317) % 2_400_000_000);
  const code = ERRORS[state];
  const name = `2026-11-${String((index % 28) + 1).padStart(2, '0')} Lecture ${String(index + 1).padStart(3, '0')}`;
  const extension = ['mp4', 'wav', 'mov', 'mp3', 'pdf'][index % 5];
  return {
    id: `u${index}`,
    batchId: 'b1',
    siteId: 'site-1',
    collectionId: 'c6',
    collectionName: 'Physics',
    path: `/home/anna/Recordings/${name}.${extension}`,
    fileName: `${name}.${extension}`,
    sizeBytes,
    mtimeMs: 0,
    title: `Lecture ${index + 1} – Optics and waves`,
    state,
    priority: 'normal',
    sentBytes:
      state === 'queued' ? 0 : state === 'sending' ? sizeBytes * 0.3 : state === 'paused' ? sizeBytes * 0.6 : sizeBytes,
    bytesPerSecond: state === 'sending' ? 12_600_000 : null,
    secondsLeft: state === 'sending' ? 80 : null,
    attempts: state === 'waiting' ? 3 : 1,
    nextAttemptAt: state === 'waiting' ? Date.now() + 75_000 : null,
    mediaId: null,
    fileId: null,
    sha256: null,
    followUps: [],
    error: code === undefined ? null : { code, ...pickWords(code), details: null },
    notice: null,
    movedFrom: null,
    addedAt: Date.now() - 600_000,
    endedAt: null,
  };
}

function pickWords(code: ErrorCode): { message: string; nextStep: string | null } {
  const { message, nextStep } = ERROR_CATALOG[code];
  return { message, nextStep };
}
