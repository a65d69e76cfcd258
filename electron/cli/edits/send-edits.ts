import type { EditGroup } from '../../../shared/contract/edits.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { whenAborted } from '../session/interruption.ts';
import { countsText } from './edit-text.ts';

/** Returns the group with this id; `last` is the newest one. Throws `edit.unknown`. */
export async function findGroup({ engine }: EngineContext, ref: string): Promise<EditGroup> {
  if (ref === 'last') {
    const { groups } = await engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 1 });
    if (groups[0] !== undefined) return groups[0];
  }
  return engine.call('edits.group', { groupId: ref });
}

/**
 * Sends edits until none can be sent any more, and shows the progress of a group. Returns the exit code: complete when
 * nothing of the group is open or was left alone.
 */
export async function sendEdits(context: EngineContext, groupId: string): Promise<ExitCode> {
  const { engine, output, interruption, terminal } = context;
  const dispose = engine.on('onDidChangeEdits', ({ groups }) => {
    const group = groups.find(({ id }) => id === groupId);
    if (group !== undefined) terminal?.write(`\r${progressText(group)}\u001b[K`);
  });
  engine.startEdits();
  await Promise.race([engine.whenEditsIdle(), whenAborted(interruption.signal)]);
  dispose();
  terminal?.write('\r\u001b[K');
  const group = await engine.call('edits.group', { groupId });
  output.record({ edits: group });
  output.line(`${countsText(group)}.`);
  const { held, conflict, refused, pending, left } = group.counts;
  if (pending > 0 && group.waitsFor !== null) output.notice(group.waitsFor);
  if (pending > 0) output.note('To send the rest, run “mediadesk edits retry”.');
  if (held + conflict + refused > 0) output.note(`To see what needs you, run “mediadesk edits show ${groupId}”.`);
  return interruption.exitCode() ?? (held + conflict + refused + pending + left > 0 ? EXIT.incomplete : EXIT.complete);
}

function progressText({ counts, items }: EditGroup): string {
  return `${items - counts.pending} of ${items} items`;
}
