import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { EventData } from '../../../../../shared/contract/contract.ts';
import type { BulkChange, EditGroup, EditPlan, EditSelection } from '../../../../../shared/contract/edits.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../../kit/lists/windowed-list.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { followGroup } from '../../../edits/state/follow-group.ts';

/** A change of a selection that the user reviews before it is made. */
export interface Review {
  selection: EditSelection;
  change: BulkChange;
  /** The label of the change in the list of edits. */
  label: string;
  /** The id of a plan that already exists, for example of an import; `change` is not used then. */
  planId?: string;
}

interface ReviewState {
  review: Review | null;
  /** Counts and present values, and the first rows of `reviewRows`. null while the items are read. */
  plan: EditPlan | null;
  /** The number of items that were read so far. `total`: null while the number of all items is unknown. */
  progress: { read: number; total: number | null } | null;
  error: AppErrorData | null;
  /** The ids of excluded items. */
  excluded: ReadonlySet<string>;
  isApplying: boolean;
}

const CLOSED = {
  review: null,
  plan: null,
  progress: null,
  error: null,
  excluded: new Set(),
  isApplying: false,
} satisfies ReviewState;

export const useReview = create<ReviewState>(() => CLOSED);

/**
 * `count`: how many changes were applied; when it increases, forms that described the change are cleared. `left`: the ids of the
 * items that the user excluded from the latest one.
 */
export const useAppliedChanges = create<{ count: number; left: ReadonlySet<string> }>(() => ({
  count: 0,
  left: new Set(),
}));

type PlanRow = EditPlan['rows'][number];

/**
 * The number of rows that arrive with a new plan, so that they are painted together with its counts. The list uses them as its
 * first window.
 */
const FIRST_ROWS = 100;
let firstPage: EditPlan | null = null;

/** The rows of the review; rows with a problem come first. */
export const reviewRows = createWindowedList<{ siteId: string; planId: string }, PlanRow>({
  async load({ siteId, planId }, { offset, limit }) {
    const known = firstPage;
    firstPage = null;
    if (known?.planId === planId && offset === 0 && limit === FIRST_ROWS) return known;
    return call('edits.plan', { ...pageOf(siteId), planId, offset, limit });
  },
  idOf: (row) => row.entityId,
});

/** Returns an empty selection and an empty change, for a call with a `planId`: the plan itself contains both. */
function pageOf(siteId: string) {
  return { selection: { siteId, ids: [] as string[] }, change: {} };
}

/** Opens the review of a change: reads the items and shows the effect of the change. Changes nothing yet. */
export async function openReview(review: Review): Promise<void> {
  reviewRows.open(null);
  useReview.setState({ ...CLOSED, review });
  try {
    const { selection, change, planId } = review;
    const input = planId === undefined ? { selection, change } : { ...pageOf(selection.siteId), planId };
    const plan = await call('edits.plan', { ...input, limit: FIRST_ROWS });
    if (useReview.getState().review !== review) return;
    useReview.setState({ plan, progress: null });
    firstPage = plan;
    reviewRows.open({ siteId: selection.siteId, planId: plan.planId });
  } catch (thrown) {
    if (useReview.getState().review === review) useReview.setState({ error: toErrorData(thrown), progress: null });
  }
}

/** Opens the review of an existing plan. */
export function openPlannedReview(siteId: string, planId: string, label: string): Promise<void> {
  return openReview({ ...pageOf(siteId), label, planId });
}

/** Reads the items again, after an error or when the review is no longer available. */
export function repeatReview(): Promise<void> {
  const { review } = useReview.getState();
  return review === null ? Promise.resolve() : openReview(review);
}

export function closeReview(): void {
  reviewRows.open(null);
  useReview.setState(CLOSED);
}

/** Shows how many items were read. */
export function takePlanProgress({ siteId, read, total }: EventData<'onDidProgressEditPlan'>): void {
  const { review, plan } = useReview.getState();
  if (plan === null && review?.selection.siteId === siteId) useReview.setState({ progress: { read, total } });
}

/** Excludes an item from the change, or includes it again. Items with a problem are always excluded. */
export function toggleExcluded(row: PlanRow | undefined): void {
  if (row === undefined || row.problem !== null) return;
  useReview.setState(({ excluded }) => {
    const next = new Set(excluded);
    if (!next.delete(row.entityId)) next.add(row.entityId);
    return { excluded: next };
  });
}

/** Returns the number of items that the reviewed change will change. */
export function countToApply({ plan, excluded }: Pick<ReviewState, 'plan' | 'excluded'>): number {
  return plan === null ? 0 : Math.max(0, plan.changed - excluded.size);
}

/** Applies the reviewed change and closes the review. Returns the group of edits; null when it failed or changed nothing. */
export async function applyReview(): Promise<EditGroup | null> {
  const { review, plan, excluded, isApplying } = useReview.getState();
  if (review === null || plan === null || isApplying) return null;
  useReview.setState({ isApplying: true, error: null });
  try {
    const { group } = await call('edits.apply', { planId: plan.planId, except: [...excluded], label: review.label });
    if (useReview.getState().review === review) closeReview();
    if (group !== null) {
      useAppliedChanges.setState(({ count }) => ({ count: count + 1, left: excluded }));
      followGroup(group);
    }
    return group;
  } catch (thrown) {
    if (useReview.getState().review === review) {
      useReview.setState({ isApplying: false, error: toErrorData(thrown) });
    }
    return null;
  }
}

/** Applies a change without a review, for example after a drag. Throws if it fails. */
export async function applyNow({ selection, change, label }: Review): Promise<EditGroup | null> {
  const { group } = await call('edits.apply', { selection, change, label });
  if (group !== null) followGroup(group);
  return group;
}
