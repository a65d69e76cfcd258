import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditsChange } from '../../../../shared/contract/edits.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { whenStoreWorks } from '../../scheduler/when-store-works.ts';
import { type EditJournal, type EditsChanged, keyOfEntity } from '../journal/edit-journal.ts';
import { shownGroup } from './shown-edits.ts';

export interface EditFeedTools {
  journal: EditJournal;
  clock: Clock;
  logger: Logger;
  waitsFor(siteId: string): AppErrorData | null;
}

const EVERY_MS = 100;
const MOST_GROUPS = 20;
const MOST_ENTITIES = 500;

/** Announces changed edits, at most ten times a second. */
export class EditFeed {
  readonly onDidChange = new Emitter<EditsChange>();
  readonly #tools: EditFeedTools;
  readonly #groups = new Set<number>();
  readonly #entities = new Map<string, Pick<EditsChanged, 'siteId' | 'entityKind' | 'entityId'>>();
  readonly #unsubscribe: () => void;
  #cancel: (() => void) | null = null;

  constructor(tools: EditFeedTools) {
    this.#tools = tools;
    this.#unsubscribe = tools.journal.onDidChange.on((changes) => {
      for (const { groupSeq, siteId, entityKind, entityId } of changes) {
        this.#groups.add(groupSeq);
        if (this.#entities.size <= MOST_ENTITIES)
          this.#entities.set(keyOfEntity(siteId, entityId, entityKind), { siteId, entityKind, entityId });
      }
      this.#plan();
    });
  }

  /** The libraries that can be reached have changed: groups with pending edits show why they wait. */
  touchOpenGroups(): void {
    for (const { seq } of this.#tools.journal.store.groups({ siteId: null, isOpen: true }, 0, MOST_GROUPS).groups) {
      this.#groups.add(seq);
    }
    if (this.#groups.size > 0) this.#plan();
  }

  dispose(): void {
    this.#unsubscribe();
    this.#cancel?.();
    this.#cancel = null;
  }

  #plan(): void {
    this.#cancel ??= this.#tools.clock.schedule(EVERY_MS, () => this.#tick());
  }

  #tick(): void {
    this.#cancel = null;
    const again = whenStoreWorks(
      this.#tools,
      'edit-feed',
      () => this.#emit(),
      () => this.#tick(),
    );
    if (again !== null) this.#cancel = again;
  }

  #emit(): void {
    const { journal, waitsFor } = this.#tools;
    const newest = [...this.#groups].sort((one, other) => other - one).slice(0, MOST_GROUPS);
    const groups = newest.flatMap((seq) => journal.store.groupBySeq(seq) ?? []);
    const shown = groups.map((group) => shownGroup(group, journal, waitsFor));
    const entities = this.#entities.size > MOST_ENTITIES ? null : [...this.#entities.values()];
    this.#groups.clear();
    this.#entities.clear();
    this.onDidChange.emit({ groups: shown, totals: journal.totals(), sent: journal.sentCount, entities });
  }
}
