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
  /** Whether all groups with open edits are announced next. */
  #areOpenTouched = false;
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

  /**
   * Announces that a library is reachable again or no longer: groups with pending edits show why they wait. Reads nothing by
   * itself.
   */
  touchOpenGroups(): void {
    if (this.#tools.journal.totals().pending === 0) return;
    this.#areOpenTouched = true;
    this.#plan();
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
    if (this.#areOpenTouched) {
      const { groups: open } = journal.store.groups({ siteId: null, isOpen: true }, 0, MOST_GROUPS);
      for (const { seq } of open) this.#groups.add(seq);
    }
    const newest = [...this.#groups].sort((one, other) => other - one).slice(0, MOST_GROUPS);
    const groups = newest.flatMap((seq) => journal.store.groupBySeq(seq) ?? []);
    const shown = groups.map((group) => shownGroup(group, journal, waitsFor));
    const entities = this.#entities.size > MOST_ENTITIES ? null : [...this.#entities.values()];
    this.#areOpenTouched = false;
    this.#groups.clear();
    this.#entities.clear();
    this.onDidChange.emit({ groups: shown, totals: journal.totals(), sent: journal.sentCount, entities });
  }
}
