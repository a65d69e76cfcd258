import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditJournal, NewGroup } from '../journal/edit-journal.ts';
import type { EditRecord } from '../journal/edit-row.ts';

export interface AwaitedEditsTools {
  journal: EditJournal;
  /** Starts to send edits, if the process does not do so yet. */
  start(): void;
  /** Why the library of an edit can't be reached; null when it can be reached. */
  waitsFor(siteId: string): AppErrorData | null;
  /** Calls the listener after attempts and when a library can't be reached any more. */
  onProgress(listener: () => void): () => void;
}

/** Stores edits whose caller waits for the result. */
export class AwaitedEdits {
  readonly #tools: AwaitedEditsTools;
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  constructor(tools: AwaitedEditsTools) {
    this.#tools = tools;
  }

  /**
   * Stores a group and sends it before all others. Returns its records once each is decided or has to wait; a record that has to
   * wait is still `pending`. `onAdded`: called when they are stored, before anything is sent.
   */
  async add(group: NewGroup, onAdded: () => void = () => {}): Promise<{ groupId: string; records: EditRecord[] }> {
    const { journal, start } = this.#tools;
    const { id, seq } = await journal.add(group, { isUrgent: true });
    onAdded();
    start();
    const added = journal.store.byGroup(seq);
    return { groupId: id, records: await Promise.all(added.map((record) => this.#settledOrWaiting(record))) };
  }

  /** Returns why a record that has to wait is not sent: the library, or an earlier edit of the same item or collection. */
  reasonOf({ siteId, entityId, entityKind, seq }: EditRecord): AppErrorData | null {
    const { journal, waitsFor } = this.#tools;
    const open = journal.store.openOf(siteId, entityId, entityKind);
    return waitsFor(siteId) ?? open.find((each) => each.seq < seq && each.error !== null)?.error ?? null;
  }

  /** Ends every wait: unsent edits stay in the journal. */
  stop(): void {
    this.#isStopped = true;
    for (const check of this.#waiting) check();
  }

  /** Resolves with the record when it is decided, or when its item or collection has to wait. */
  #settledOrWaiting(added: EditRecord): Promise<EditRecord> {
    const { onProgress } = this.#tools;
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          const record = this.#tools.journal.store.get(added.seq) ?? added;
          if (record.state === 'pending' && !this.#mustWait(record)) return;
          end();
          resolve(record);
        } catch (error) {
          end();
          reject(error);
        }
      };
      const unsubscribe = onProgress(check);
      const end = () => {
        unsubscribe();
        this.#waiting.delete(check);
      };
      this.#waiting.add(check);
      check();
    });
  }

  #mustWait({ siteId, entityId, entityKind }: EditRecord): boolean {
    const { journal, waitsFor } = this.#tools;
    const entity = journal.openEntity(siteId, entityId, entityKind);
    if (entity === null || entity.isBlocked || entity.nextAt !== null || journal.isWaiting(entity)) return true;
    return this.#isStopped || waitsFor(siteId) !== null;
  }
}
