import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import type { BulkChange, EditGroup, EditPlan, EditSelection } from '../../../../shared/contract/edits.ts';
import { call } from '../../../bridge/bridge.ts';
import { createWindowedList } from '../../../lists/windowed-list.ts';
import { toErrorData } from '../../../text/errors.ts';
import { followGroup } from '../../edits/follow-group.ts';

/** A change of a selection that is reviewed before it is made. */
export interface Review {
  selection: EditSelection;
  change: BulkChange;
  /** What the change is called in the list of edits. */
  label: string;
  /** A plan that was made already, such as by an import; `change` is not used then. */
  planId?: string;
}

interface ReviewState {
  review: Review | null;
  /** Counts and present values, and the first rows of `reviewRows`. null while the items are read. */
  plan: EditPlan | null;
  /** How many items were read so far; `total` null while it is not known. */
  progress: { read: number; total: number | null } | null;
  error: AppErrorData | null;
  /** Items that are left out. */
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

/** Increases with every change that was made: forms that described it are cleared. `left`: the items that were left out. */
export const useAppliedChanges = create<{ count: number; left: ReadonlySet<string> }>(() => ({
  count: 0,
  left: new Set(),
}));

type PlanRow = EditPlan['rows'][number];

/** Rows that come with a new plan, so that they are painted with its counts. The list takes them as its first window. */
const FIRST_ROWS = 100;
let firstPage: EditPlan | null = null;

/** The reviewed rows: those with a problem first. */
export const reviewRows = createWindowedList<{ siteId: string; planId: string }, PlanRow>({
  async load({ siteId, planId }, { offset, limit }) {
    const known = firstPage;
    firstPage = null;
    if (known?.planId === planId && offset === 0 && limit === FIRST_ROWS) return known;
    return call('edits.plan', { ...pageOf(siteId), planId, offset, limit });
  },
  idOf: (row) => row.entityId,
});

/** A page of a plan: the plan knows its selection and its change. */
function pageOf(siteId: string) {
  return { selection: { siteId, ids: [] as string[] }, change: {} };
}

/** Opens the review of a change: reads the items and shows what would change. Nothing is changed yet. */
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

/** Opens the review of a plan that was made already. */
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

/** Leaves an item out, or takes it back. Items with a problem are left out anyway. */
export function toggleExcluded(row: PlanRow | undefined): void {
  if (row === undefined || row.problem !== null) return;
  useReview.setState(({ excluded }) => {
    const next = new Set(excluded);
    if (!next.delete(row.entityId)) next.add(row.entityId);
    return { excluded: next };
  });
}

/** The number of items that the reviewed change will change. */
export function countToApply({ plan, excluded }: Pick<ReviewState, 'plan' | 'excluded'>): number {
  return plan === null ? 0 : Math.max(0, plan.changed - excluded.size);
}

/** Makes the reviewed change and closes the review. Returns the group of edits; null when it failed or changed nothing. */
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

/** Makes a change without a review, such as after a drag. Throws. */
export async function applyNow({ selection, change, label }: Review): Promise<EditGroup | null> {
  const { group } = await call('edits.apply', { selection, change, label });
  if (group !== null) followGroup(group);
  return group;
}
