import { applyUploadEvent, type Upload, type UploadEvent } from '../../../shared/model/upload-machine.ts';
import type { UploadState } from '../../../shared/model/upload-states.ts';
import { Emitter } from '../emitter.ts';
import type { Logger } from '../ports/logger.ts';
import type { StateCounts, UploadStore } from './upload-store.ts';

export interface UploadChange {
  before: UploadState | null;
  after: Upload;
}

/**
 * Facts that the service tells again when a power cut took them back: a row without them is checked, not repeated.
 * Everything else reaches the disk before anything is done because of it: without the ids of the item and of the file
 * there would be nothing to ask about, without the start of a transfer nobody would ask whether the destination was used,
 * and a person's word is never forgotten.
 */
const RECOVERABLE: ReadonlySet<UploadEvent['kind']> = new Set([
  'started',
  'file-seen',
  'file-intended',
  'sent',
  'finished',
  'put-back',
  'interrupted',
]);

/**
 * The only way to change a row: a fact goes in, the new row is stored, then the change is announced. What is announced
 * is always durable.
 */
export class UploadJournal {
  readonly onDidChange = new Emitter<UploadChange>();
  readonly #store: UploadStore;
  readonly #logger: Logger;
  readonly #counts: StateCounts;
  readonly #bytes: StateCounts;

  constructor(store: UploadStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
    const { counts, bytes } = store.counts();
    this.#counts = counts;
    this.#bytes = bytes;
  }

  /** Rows and bytes by state, kept up with every change rather than counted anew. */
  get counts(): Readonly<StateCounts> {
    return this.#counts;
  }

  get bytes(): Readonly<StateCounts> {
    return this.#bytes;
  }

  add(uploads: readonly Upload[]): void {
    this.#store.insert(uploads);
    for (const upload of uploads) this.#announce(null, upload);
  }

  /** Stores a fact about an upload and answers the row after it. */
  record(id: string, event: UploadEvent): Upload {
    const before = this.#store.get(id);
    if (!before) throw new Error(`no upload ${id}`);
    const after = applyUploadEvent(before, event);
    this.#store.save(after, !RECOVERABLE.has(event.kind));
    this.#logger.debug('upload.changed', { id, event: event.kind, state: after.state, ...errorCode(after) });
    this.#announce(before, after);
    return after;
  }

  #announce(before: Upload | null, after: Upload): void {
    if (before) {
      this.#counts[before.state] -= 1;
      this.#bytes[before.state] -= before.sizeBytes;
    }
    this.#counts[after.state] += 1;
    this.#bytes[after.state] += after.sizeBytes;
    this.onDidChange.emit({ before: before?.state ?? null, after });
  }
}

function errorCode(upload: Upload): { code?: string } {
  return upload.error === null ? {} : { code: upload.error.code };
}
