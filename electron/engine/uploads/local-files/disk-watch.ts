import { toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/error-catalog.ts';
import type { Upload } from '../../../../shared/model/upload-machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import type { Logger } from '../../ports/logger.ts';
import { deviceOf } from '../journal/device-of.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';

export interface DiskWatchTools {
  store: UploadStore;
  journal: UploadJournal;
  files: Files;
  clock: Clock;
  logger: Logger;
  /** Starts what can start. */
  pump(): void;
}

/** What uploads wait for together: a path that comes back with their drive, share or folder. */
interface Awaited {
  /** null: that their disk answers at all, for whichever of their files it is asked. */
  path: string | null;
  ids: Set<string>;
  looks: number;
  cancel: () => void;
}

const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 10_000;
/** A drive that came and failed again: the longer the pauses, up to this. */
const LONGEST_REST_MS = 60_000;
/** Trouble later than this is another one. */
const TROUBLE_LASTS_MS = 5 * 60_000;
/** Rows in one go, with room for others in between. */
const CHUNK_ROWS = 200;

/**
 * Looks out for drives, shares and folders that are away. All uploads that wait for the same one cost one look, ever more
 * rarely up to every ten seconds; when it is back they all go on.
 */
export class DiskWatch {
  readonly #tools: DiskWatchTools;
  readonly #awaited = new Map<string, Awaited>();
  readonly #keys = new Map<string, string>();
  /** How often a path came back, and when last: in vain, if uploads wait for it again soon. */
  readonly #returns = new Map<string, { at: number; count: number }>();
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(tools: DiskWatchTools) {
    this.#tools = tools;
    this.#unsubscribe = tools.journal.onDidChange.on(({ after }) => this.#note(after));
  }

  /** Takes up what the last process left waiting. */
  start(): void {
    for (const id of this.#tools.store.select('all', ['waiting'])) {
      const upload = this.#tools.store.get(id);
      if (upload) this.#note(upload);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    for (const { cancel } of this.#awaited.values()) cancel();
    this.#awaited.clear();
  }

  #note(upload: Upload): void {
    const code = upload.error?.code ?? '';
    const isAwaiting = upload.state === 'waiting' && dispositionOf(code) === 'wait-disk';
    const awaited = upload.error?.details?.awaited;
    const device = deviceOf(upload.identity);
    const path = typeof awaited === 'string' ? awaited : device === '' ? upload.path : null;
    const key = isAwaiting ? (path ?? `device ${device}`) : null;
    const before = this.#keys.get(upload.id);
    if (before !== undefined && before !== key) this.#leave(upload.id, before);
    if (key !== null && before !== key) this.#join(upload.id, key, path);
  }

  #join(id: string, key: string, path: string | null): void {
    this.#keys.set(id, key);
    const awaited = this.#awaited.get(key) ?? { path, ids: new Set<string>(), looks: 0, cancel: () => {} };
    awaited.ids.add(id);
    if (this.#awaited.has(key)) return;
    this.#awaited.set(key, awaited);
    this.#plan(key, awaited);
  }

  #leave(id: string, key: string): void {
    this.#keys.delete(id);
    const awaited = this.#awaited.get(key);
    awaited?.ids.delete(id);
    if (awaited?.ids.size !== 0) return;
    awaited.cancel();
    this.#awaited.delete(key);
  }

  #plan(key: string, awaited: Awaited): void {
    if (this.#stopped) return;
    const rest = this.#restOf(key);
    const wait = Math.max(Math.min(FIRST_LOOK_MS * 2 ** awaited.looks, LONGEST_LOOK_MS), rest);
    awaited.looks += 1;
    awaited.cancel = this.#tools.clock.schedule(wait, () => void this.#look(key, awaited));
  }

  async #look(key: string, awaited: Awaited): Promise<void> {
    try {
      await this.#tools.files.facts(awaited.path ?? this.#anyPath(awaited));
    } catch (error) {
      const { code } = toAppError(error);
      this.#tools.logger.debug('disk.awaited', { key, code });
      const isAnswer = awaited.path === null && dispositionOf(code) !== 'wait-disk';
      if (!isAnswer) {
        if (this.#awaited.get(key) === awaited) this.#plan(key, awaited);
        return;
      }
    }
    if (this.#stopped || this.#awaited.get(key) !== awaited) return;
    this.#noteReturn(key);
    this.#wake(key, awaited);
  }

  /** Another one each time: a single file can be damaged for good. */
  #anyPath({ ids, looks }: Awaited): string {
    const id = [...ids][looks % ids.size] ?? '';
    return this.#tools.store.get(id)?.path ?? '';
  }

  #wake(key: string, awaited: Awaited): void {
    if (this.#stopped) return;
    try {
      for (const id of [...awaited.ids].slice(0, CHUNK_ROWS)) {
        this.#tools.journal.record(id, { kind: 'put-back', error: null });
      }
    } catch (error) {
      // The store can't be written now: whoever is left is woken by the next look.
      this.#tools.logger.warn('disk.not-woken', { code: toAppError(error).code });
      if (this.#awaited.get(key) === awaited) this.#plan(key, awaited);
      return;
    }
    this.#tools.pump();
    if (awaited.ids.size > 0) awaited.cancel = this.#tools.clock.schedule(0, () => this.#wake(key, awaited));
  }

  #noteReturn(key: string): void {
    const now = this.#tools.clock.monotonic();
    const earlier = this.#returns.get(key);
    const isAgain = earlier !== undefined && now - earlier.at < TROUBLE_LASTS_MS;
    if (this.#returns.size > 1000) this.#returns.clear();
    this.#returns.set(key, { at: now, count: isAgain ? earlier.count + 1 : 1 });
  }

  /** How long to leave a path alone that came back and failed again. */
  #restOf(key: string): number {
    const earlier = this.#returns.get(key);
    if (earlier === undefined || this.#tools.clock.monotonic() - earlier.at > TROUBLE_LASTS_MS) return 0;
    return Math.min(FIRST_LOOK_MS * 2 ** earlier.count, LONGEST_REST_MS);
  }
}
