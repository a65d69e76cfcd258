import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { BulkChange, EditSelection } from '../../../shared/contract/edits.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { Random } from '../ports/random.ts';
import type { AppliedEdits } from './apply-edits.ts';
import type { BulkEdits } from './commands/bulk-edits.ts';
import type { PlanCache } from './commands/plan-cache.ts';
import {
  editsOf,
  type Plan,
  planSelection,
  type ReadTools,
  readSelectedItems,
  shownPlan,
} from './commands/plan-selection.ts';
import { type RestoreTools, restoreAsNew } from './commands/restore-as-new.ts';
import type { SlicedCommands } from './commands/sliced-commands.ts';
import { SERIES_LIMIT } from './commands/timed-change.ts';
import type { GroupRecord } from './journal/edit-row.ts';
import { restorePlace } from './reports/restore-place.ts';
import { shownGroup, shownRow } from './reports/shown-edits.ts';

export interface EditHandlerTools extends ReadTools, RestoreTools {
  mirrors: Mirrors;
  plans: PlanCache;
  random: Random;
  bulk: BulkEdits;
  sliced: SlicedCommands;
  applied: AppliedEdits;
  /** Starts to send edits, if the process does not do so yet. */
  start(): void;
  waitsFor(siteId: string): AppErrorData | null;
}

export type EditHandlers = Pick<Handlers, Extract<EngineCallName, `edits.${string}`>>;

/** The calls about edits. */
export function editHandlers(tools: EditHandlerTools): EditHandlers {
  const { journal, commands, bulk, sliced, plans, random } = tools;
  const shown = (group: GroupRecord) => shownGroup(group, journal, tools.waitsFor);
  const planned = async (selection: EditSelection, change: BulkChange): Promise<Plan> => {
    const version = tools.mirrors.version(selection.siteId);
    const limit = change.publication?.kind === 'series' ? SERIES_LIMIT : null;
    const selected = await plans.selection(selection, version, () => readSelectedItems(selection, tools, limit));
    return planSelection(selected, change, tools.clock.now());
  };
  const changed = async (count: number) => {
    await journal.store.whenDurable();
    return { changed: count };
  };
  return {
    'edits.plan': async ({ selection, change, planId, offset, limit }) => {
      const known = planId === null ? null : plans.plan(planId);
      if (planId !== null && known === null) throw appError('edit.review-over');
      const plan = known ?? (await planned(selection, change));
      const id = planId ?? random.uuid();
      if (known === null) plans.keep(id, plan);
      return shownPlan(id, plan, offset, limit);
    },
    'edits.apply': async (input) => {
      const plan = 'planId' in input ? plans.plan(input.planId) : await planned(input.selection, input.change);
      if (plan === null) throw appError('edit.review-over');
      const edits = await editsOf(plan, new Set('planId' in input ? input.except : []));
      if (edits.length === 0) return { group: null };
      const { siteId } = plan.selected;
      const { groupId } = await tools.applied.apply({
        siteId,
        label: input.label,
        change: plan.change,
        edits,
        wait: false,
      });
      return { group: shown(commands.group(groupId)) };
    },
    'edits.groups': async ({ siteId, isOpen, offset, limit }) => {
      const { total, groups } = journal.store.groups({ siteId, isOpen }, offset, limit);
      return { total, groups: groups.map(shown), totals: journal.totals(), sent: journal.sentCount };
    },
    'edits.group': async ({ groupId }) => shown(commands.group(groupId)),
    'edits.groupRows': async ({
      groupId,
      filter,
      entityId,
      entityKind = 'media',
      siteId,
      isNewestFirst = false,
      offset,
      limit,
    }) => {
      const groupSeq = groupId === null ? null : commands.group(groupId).seq;
      const { total, records } = journal.store.page(
        { groupSeq, filter, entityId, entityKind, siteId, isNewestFirst },
        offset,
        limit,
      );
      const ids = new Map<number, string>();
      for (const record of records) {
        if (!ids.has(record.groupSeq)) ids.set(record.groupSeq, journal.store.groupBySeq(record.groupSeq)?.id ?? '');
      }
      const rows = records.map((record) => {
        const placeId = restorePlace(record, journal, tools.mirrors);
        const row = shownRow(record, ids.get(record.groupSeq) ?? '', journal);
        return placeId === null ? row : { ...row, placeId };
      });
      return { total, rows };
    },
    'edits.retry': async (ref) => {
      const count = await sliced.retry(ref);
      tools.start();
      return changed(count);
    },
    'edits.revise': async ({ rowId, values }) => {
      const count = commands.revise(rowId, values);
      tools.start();
      return changed(count);
    },
    'edits.drop': async (ref) => changed(await bulk.drop(ref)),
    'edits.restoreAsNew': (input) => restoreAsNew(input, tools),
    'edits.sameQuestion': async ({ rowId, field }) => ({ ids: await sliced.sameQuestion(rowId, field) }),
    'edits.resolve': async ({ rows, field, choice }) => {
      const count = await sliced.resolve(rows, field, choice);
      tools.start();
      return changed(count);
    },
    'edits.undo': async ({ groupId }) => {
      const { group, ...rest } = await bulk.undo(groupId);
      await journal.store.whenDurable();
      tools.start();
      return { group: group === null ? null : shown(group), ...rest };
    },
    'edits.redo': async ({ groupId }) => {
      const group = await bulk.redo(groupId);
      await journal.store.whenDurable();
      tools.start();
      return { group: group === null ? null : shown(group), redoing: group?.items ?? 0 };
    },
  };
}
