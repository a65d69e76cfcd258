import { toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { abortable } from '../../common/abortable.ts';
import type { Clock } from '../../ports/clock.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { Files } from '../../ports/files.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, type JobResult } from '../../scheduler/job-result.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';

export interface DiskProbeTools {
  store: UploadStore;
  journal: UploadJournal;
  files: Files;
  volumes: Volumes;
  clock: Clock;
  logger: Logger;
  /** Called when uploads that waited for a disk are queued again. */
  onReturn(): void;
}

/** A path for which uploads wait: they are queued again when their drive, share or folder is back. */
interface Awaited {
  /** The path that is probed; null: the uploads' own paths in turn, because any answer of the disk is sufficient. */
  path: string | null;
  /** The key of the drive that has to be connected, at this path or another one; null: any answer of the path is sufficient. */
  volume: string | null;
  ids: Set<string>;
  probes: number;
  /** Monotonic time of the next probe. */
  at: number;
  /** Whether the disk answered: then its uploads are being queued again. */
  isBack: boolean;
}

const FIRST_PROBE_MS = 1000;
const LONGEST_WAIT_MS = 10_000;
/** The longest wait for a path that repeatedly returned and failed again. */
const LONGEST_REST_MS = 60_000;
/** A failure that comes later than this after the last return is not counted with the earlier ones. */
const TROUBLE_LASTS_MS = 5 * 60_000;
/** Rows per slice; other work runs between slices. */
const CHUNK_ROWS = 200;

/**
 * Probes missing drives, shares and folders. All uploads that wait for the same path share one probe, with growing waits up to
 * ten seconds; when it answers, all are queued again.
 */
export class DiskProbes implements JobKind {
  readonly name = 'disk-probe';
  readonly #tools: DiskProbeTools;
  readonly #lane: Lane;
  readonly #awaited = new Map<string, Awaited>();
  readonly #keys = new Map<string, string>();
  /** How often a path returned, and when last, to slow down probes of a path that soon fails again. */
  readonly #returns = new Map<string, { at: number; count: number }>();
  readonly #unsubscribe: () => void;

  constructor(tools: DiskProbeTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
    this.#unsubscribe = tools.journal.onDidChange.on(({ after }) => this.#note(after));
  }

  dispose(): void {
    this.#unsubscribe();
  }

  slots(): number {
    return Number.POSITIVE_INFINITY;
  }

  /** Continues the waits of the last process. */
  start(): void {
    for (const id of this.#tools.store.select('all', ['waiting'])) {
      const upload = this.#tools.store.get(id);
      if (upload) this.#note(upload);
    }
  }

  due(): Job[] {
    const now = this.#tools.clock.monotonic();
    return [...this.#awaited].filter(([id, { at }]) => at <= now && !this.#lane.has(id)).map(([id]) => ({ id }));
  }

  nextInMs(): number | null {
    const times = [...this.#awaited].filter(([id]) => !this.#lane.has(id)).map(([, { at }]) => at);
    return times.length === 0 ? null : Math.max(0, Math.min(...times) - this.#tools.clock.monotonic());
  }

  /** Probes a path and queues its uploads again when it answers. An abort does not wait for a disk that does not answer. */
  async run({ id }: Job, signal: AbortSignal): Promise<JobResult> {
    const { journal, onReturn } = this.#tools;
    const awaited = this.#awaited.get(id);
    if (awaited === undefined) return DONE;
    if (!awaited.isBack && !(await abortable(this.#answers(id, awaited), signal))) return DONE;
    if (this.#awaited.get(id) !== awaited) return DONE;
    if (!awaited.isBack) this.#noteReturn(id);
    awaited.isBack = true;
    for (const uploadId of [...awaited.ids].slice(0, CHUNK_ROWS)) {
      journal.record(uploadId, { kind: 'put-back', error: null });
    }
    onReturn();
    return DONE;
  }

  /** Sets the time of the next run: at once to queue the remaining rows, or later to probe a disk that did not answer. */
  record({ id }: Job): void {
    const awaited = this.#awaited.get(id);
    if (awaited === undefined) return;
    awaited.at = awaited.isBack ? this.#tools.clock.monotonic() : this.#nextProbeAt(id, awaited);
  }

  async #answers(id: string, awaited: Awaited): Promise<boolean> {
    try {
      if (awaited.volume !== null) return await this.#isConnected(awaited.volume);
      await this.#tools.files.facts(awaited.path ?? this.#anyPath(awaited));
      return true;
    } catch (error) {
      const { code } = toAppError(error);
      this.#tools.logger.debug('disk.awaited', { key: id, code });
      return awaited.path === null && dispositionOf(code) !== 'wait-disk';
    }
  }

  async #isConnected(volume: string): Promise<boolean> {
    const { files, volumes } = this.#tools;
    for (const mountPoint of volumes.mountPoints(volume)) {
      const facts = await files.facts(mountPoint).catch(() => null);
      if (facts !== null && volumes.of(mountPoint, deviceOf(facts.identity)).key === volume) return true;
    }
    return false;
  }

  #note(upload: Upload): void {
    const code = upload.error?.code ?? '';
    const isAwaiting = upload.state === 'waiting' && dispositionOf(code) === 'wait-disk';
    const { awaited, volume: awaitedVolume } = upload.error?.details ?? {};
    const volume = typeof awaitedVolume === 'string' ? awaitedVolume : null;
    const device = deviceOf(upload.identity);
    const path = typeof awaited === 'string' ? awaited : device === '' ? upload.path : null;
    const key = isAwaiting ? (volume ?? path ?? `device ${device}`) : null;
    const before = this.#keys.get(upload.id);
    if (before !== undefined && before !== key) this.#leave(upload.id, before);
    if (key !== null && before !== key) this.#join(upload.id, key, { path, volume });
  }

  #join(id: string, key: string, place: Pick<Awaited, 'path' | 'volume'>): void {
    this.#keys.set(id, key);
    const known = this.#awaited.get(key);
    if (known !== undefined) {
      known.ids.add(id);
      return;
    }
    const awaited: Awaited = { ...place, ids: new Set([id]), probes: 0, at: 0, isBack: false };
    awaited.at = this.#nextProbeAt(key, awaited);
    this.#awaited.set(key, awaited);
    this.#lane.wakeIn(awaited.at - this.#tools.clock.monotonic());
  }

  #leave(id: string, key: string): void {
    this.#keys.delete(id);
    const awaited = this.#awaited.get(key);
    awaited?.ids.delete(id);
    if (awaited?.ids.size === 0) this.#awaited.delete(key);
  }

  #nextProbeAt(key: string, awaited: Awaited): number {
    const waitMs = Math.min(FIRST_PROBE_MS * 2 ** awaited.probes, LONGEST_WAIT_MS);
    awaited.probes += 1;
    return this.#tools.clock.monotonic() + Math.max(waitMs, this.#restMs(key));
  }

  /** Returns another file at each call, because a single file can be permanently damaged. */
  #anyPath({ ids, probes }: Awaited): string {
    const id = [...ids][probes % ids.size] ?? '';
    return this.#tools.store.get(id)?.path ?? '';
  }

  #noteReturn(key: string): void {
    const now = this.#tools.clock.monotonic();
    const earlier = this.#returns.get(key);
    const isAgain = earlier !== undefined && now - earlier.at < TROUBLE_LASTS_MS;
    if (this.#returns.size > 1000) this.#returns.clear();
    this.#returns.set(key, { at: now, count: isAgain ? earlier.count + 1 : 1 });
  }

  /** Returns how long a path that returned and failed again is not probed. */
  #restMs(key: string): number {
    const earlier = this.#returns.get(key);
    if (earlier === undefined || this.#tools.clock.monotonic() - earlier.at > TROUBLE_LASTS_MS) return 0;
    return Math.min(FIRST_PROBE_MS * 2 ** earlier.count, LONGEST_REST_MS);
  }
}
