import type { ShownPlace } from '../../../shared/contract/desktop.ts';
import type { Batch } from '../../../shared/contract/uploads.ts';
import { uploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';

/** How many uploads of a batch ended since it was noticed, by outcome. */
export interface EndedBatch {
  id: string;
  siteId: string;
  collectionName: string;
  complete: number;
  failed: number;
  needsDecision: number;
}

/** Something that only a person can solve. `key`: the same problem has the same key. */
export interface OpenProblem {
  key: string;
  kind: 'sign-in' | 'decision' | 'drive' | 'folder' | 'edits' | 'disk' | 'queue';
  /** The number of things that it concerns, if they are counted. */
  count: number;
  place: ShownPlace;
}

/** What one notification is about. */
export type DesktopNotice =
  | { kind: 'ended'; batches: readonly EndedBatch[] }
  | { kind: 'attention'; problems: readonly OpenProblem[] };

/** How long a first event waits for others, and the shortest time between two notifications of one kind. */
export const COLLECT_MS = { ended: 3000, attention: 10_000 } as const;
export const AT_MOST_EVERY_MS = 60_000;

type Kind = DesktopNotice['kind'];

/**
 * Decides when something is worth a notification: a batch that ended, and problems that need a person. Events that are close
 * together become one notification. Holds only open batches and what is waiting.
 */
export class NoticePlanner {
  /** The counts of each open batch when it was noticed. */
  readonly #open = new Map<string, ReturnType<typeof uploadOutcomes>>();
  readonly #ended = new Map<string, EndedBatch>();
  /** The problems that last; those with `isReported` were in a notification. */
  readonly #problems = new Map<string, { problem: OpenProblem; isReported: boolean }>();
  readonly #firstAt: Record<Kind, number | null> = { ended: null, attention: null };
  readonly #lastAt: Record<Kind, number> = { ended: Number.NEGATIVE_INFINITY, attention: Number.NEGATIVE_INFINITY };

  /** Takes changed batches. A batch without open uploads counts only if it was open before. */
  takeBatches(batches: readonly Batch[], now: number): void {
    for (const batch of batches) {
      const outcomes = uploadOutcomes(batch);
      const before = this.#open.get(batch.id);
      if (outcomes.pending > 0) {
        if (before === undefined) this.#open.set(batch.id, outcomes);
        continue;
      }
      this.#open.delete(batch.id);
      if (before === undefined) continue;
      const earlier = this.#ended.get(batch.id);
      const { id, siteId, collectionName } = batch;
      const since = (name: 'complete' | 'failed' | 'needsDecision') =>
        Math.max(0, outcomes[name] - before[name]) + (earlier?.[name] ?? 0);
      const ended = {
        id,
        siteId,
        collectionName,
        complete: since('complete'),
        failed: since('failed'),
        needsDecision: since('needsDecision'),
      };
      // All were cancelled or skipped: the user knows it.
      if (ended.complete + ended.failed + ended.needsDecision === 0) continue;
      this.#ended.set(id, ended);
      this.#firstAt.ended ??= now;
    }
  }

  /** Takes all problems that exist now. One that is new, or that concerns more than before, is reported. */
  takeProblems(problems: readonly OpenProblem[], now: number): void {
    const present = new Set(problems.map(({ key }) => key));
    for (const key of [...this.#problems.keys()]) if (!present.has(key)) this.#problems.delete(key);
    for (const problem of problems) {
      const known = this.#problems.get(problem.key);
      const isNew = known === undefined || problem.count > known.problem.count;
      this.#problems.set(problem.key, { problem, isReported: isNew ? false : known.isReported });
      if (isNew) this.#firstAt.attention ??= now;
    }
  }

  /** Returns when the next notification is due; null: none is. */
  dueAt(): number | null {
    const times = (['ended', 'attention'] as const).flatMap((kind) => {
      const first = this.#firstAt[kind];
      return first === null ? [] : [Math.max(first + COLLECT_MS[kind], this.#lastAt[kind] + AT_MOST_EVERY_MS)];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Returns the notifications that are due; they are not returned again. */
  takeDue(now: number): DesktopNotice[] {
    const notices: DesktopNotice[] = [];
    for (const kind of ['ended', 'attention'] as const) {
      const first = this.#firstAt[kind];
      if (first === null || now < Math.max(first + COLLECT_MS[kind], this.#lastAt[kind] + AT_MOST_EVERY_MS)) continue;
      this.#firstAt[kind] = null;
      const notice = kind === 'ended' ? this.#endedNotice() : this.#attentionNotice();
      if (notice === null) continue;
      this.#lastAt[kind] = now;
      notices.push(notice);
    }
    return notices;
  }

  #endedNotice(): DesktopNotice | null {
    const batches = [...this.#ended.values()];
    this.#ended.clear();
    return batches.length === 0 ? null : { kind: 'ended', batches };
  }

  #attentionNotice(): DesktopNotice | null {
    const unreported = [...this.#problems.values()].filter(({ isReported }) => !isReported);
    for (const entry of unreported) entry.isReported = true;
    // Problems that solved themselves meanwhile are gone.
    return unreported.length === 0 ? null : { kind: 'attention', problems: unreported.map(({ problem }) => problem) };
  }
}
