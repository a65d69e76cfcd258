import {
  EDIT_STATES,
  type EditCounts,
  type EditGroup,
  type EditRowsRef,
  type EditState,
} from '../../../shared/contract/edits.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { localTime } from '../output/local-time.ts';
import { Progress } from '../output/progress.ts';
import { printable } from '../output/text-format.ts';
import { whenAborted } from '../session/interruption.ts';
import { groupCountsText } from './edit-text.ts';

const GROUPS_PAGE = 200;
const ROWS_PAGE = 500;

/** Returns the group with this id; `last` is the newest one. Throws `edit.unknown`. */
export async function findEditGroup({ engine }: EngineContext, ref: string): Promise<EditGroup> {
  if (ref === 'last') {
    const { groups } = await engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 1 });
    if (groups[0] !== undefined) return groups[0];
  }
  return engine.call('edits.group', { groupId: ref });
}

/** Returns the groups with open edits to which the reference refers: those of its rows, its group, or all of them. */
export async function openGroupsOf({ engine }: EngineContext, rows: EditRowsRef): Promise<string[]> {
  if ('groupId' in rows) return rows.groupId === null ? allOpenGroups(engine) : [rows.groupId];
  const wanted = new Set(rows.ids);
  const found = new Set<string>();
  for (let offset = 0; wanted.size > 0; offset += ROWS_PAGE) {
    const page = { groupId: null, filter: 'open', entityId: null, offset, limit: ROWS_PAGE } as const;
    const { rows: open, total } = await engine.call('edits.groupRows', page);
    for (const { id, groupId } of open) if (wanted.delete(id)) found.add(groupId);
    if (offset + ROWS_PAGE >= total) break;
  }
  return [...found];
}

async function allOpenGroups(engine: EngineContext['engine']): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const page = { siteId: null, isOpen: true, offset: found.length, limit: GROUPS_PAGE };
    const { groups, total } = await engine.call('edits.groups', page);
    found.push(...groups.map(({ id }) => id));
    if (groups.length === 0 || found.length >= total) return found;
  }
}

/**
 * Sends all edits until none can be sent now, and shows the progress of these groups. An edit that has to wait for its next attempt
 * is named with its time. Returns the exit code: that of the interruption if there was one, otherwise complete when no edit of the
 * groups is open or `left`.
 */
export async function sendEdits(context: EngineContext, ...groupIds: readonly string[]): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const progress = new Progress(context);
  const wanted = new Set(groupIds);
  const known = new Map<string, EditGroup>();
  const dispose = engine.on('onDidChangeEdits', ({ groups }) => {
    const changed = groups.filter(({ id }) => wanted.has(id));
    for (const group of changed) known.set(group.id, group);
    if (changed.length > 0) progress.show(progressText([...known.values()]));
  });
  engine.startEdits();
  await Promise.race([engine.whenEditsWait(), whenAborted(interruption.signal)]);
  dispose();
  progress.end();
  const groups: EditGroup[] = [];
  for (const groupId of groupIds) groups.push(await engine.call('edits.group', { groupId }));
  for (const group of groups) output.record({ edits: group });
  const counts = sumOf(groups);
  const { held, conflict, refused, pending, left } = counts;
  if (groups.length > 0) output.line(`${groupCountsText({ counts })}.`);
  const waitsFor = groups.find((group) => group.waitsFor !== null)?.waitsFor ?? null;
  if (pending > 0 && waitsFor !== null) output.notice(waitsFor);
  if (pending > 0 && waitsFor === null) for (const line of await delayedLines(engine, groupIds)) output.note(line);
  if (pending > 0) output.note('To send the rest, run “mediadesk edits retry”.');
  const shownBy = groupIds.length === 1 ? `mediadesk edits show ${groupIds[0]}` : 'mediadesk edits show';
  if (held + conflict + refused > 0) output.note(`To see what needs you, run “${shownBy}”.`);
  return interruption.exitCode() ?? (held + conflict + refused + pending + left > 0 ? EXIT.incomplete : EXIT.complete);
}

/** Returns until when edits of these groups wait for their next attempt, with the reason; no line when none waits for a time. */
async function delayedLines(engine: EngineContext['engine'], groupIds: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const groupId of groupIds) {
    const page = { groupId, filter: 'pending', entityId: null, offset: 0, limit: ROWS_PAGE } as const;
    const { rows } = await engine.call('edits.groupRows', page);
    const delayed = rows.filter((row) => row.nextAt !== null);
    const [next] = delayed.sort((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0));
    if (next?.nextAt == null) continue;
    const what = delayed.length === 1 ? `${printable(next.name)} waits` : `${delayed.length} items wait`;
    const reason = next.error === null ? '.' : `: ${printable(next.error.message)}`;
    lines.push(`${what} until ${localTime(next.nextAt)}${reason}`);
  }
  return lines;
}

function sumOf(groups: readonly EditGroup[]): EditCounts {
  const total = (state: EditState) => groups.reduce((sum, { counts }) => sum + counts[state], 0);
  return Object.fromEntries(EDIT_STATES.map((state) => [state, total(state)])) as EditCounts;
}

function progressText(groups: readonly EditGroup[]): string {
  const items = groups.reduce((sum, group) => sum + group.items, 0);
  return `Sent: ${items - sumOf(groups).pending} of ${items} items.`;
}
