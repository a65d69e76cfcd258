import type { TagRow } from '../../../../shared/contract/admin/people.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import { MAX_MERGED_TAGS } from '../../../../shared/model/access/admin-limits.ts';
import { counted, reportFailed } from '../../admin/admin-outcome.ts';
import { refusalOfMerge } from '../../admin/confirm-deletion.ts';
import { findAll, findNamed } from '../../admin/find-named.ts';
import { untilInterrupted } from '../../admin/run-job.ts';
import { itemsText, usesOf } from '../../admin/tag-uses.ts';
import { readRefs } from '../../arguments/names.ts';
import { requiredText } from '../../arguments/options.ts';
import { hintOf, similarTo } from '../../arguments/similar-words.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { Progress } from '../../output/progress.ts';

interface MergeInput {
  into: string;
  refs: string[];
  isYes: boolean;
}

/** Gives items one tag in place of others, and deletes those. */
export const adminTagsMergeCommand = defineEngineCommand<MergeInput>({
  name: 'admin tags merge',
  operands: 'TAG…',
  summary: 'Show how many items have these tags, ask, give the items another tag instead, and delete the tags.',
  options: {
    into: { value: 'NAME', help: 'The existing tag that stays. The items of the other tags get it.' },
    yes: { value: null, help: 'Merge without asking. You can’t undo this.' },
  },
  read: (values, operands) => ({
    into: requiredText(values, 'into'),
    refs: readRefs(operands, 'Enter the tags to merge.'),
    isYes: values.yes === true,
  }),
  interruptedText:
    'Stopping. Items whose change has begun are completed. To complete the merge, run the command again.',
  run: mergeTags,
});

async function mergeTags(context: EngineContext, { into, refs, isYes }: MergeInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { id: siteId } = await currentSite(context);
  const all = await engine.call('admin.tags', { siteId });
  const kept = keptIn(all, into);
  const tags = findAll(all, 'tag', refs).filter(({ id }) => id !== kept.id);
  if (tags.length === 0) throw appError('input.invalid', { message: 'Enter other tags than the one that stays.' });
  if (tags.length > MAX_MERGED_TAGS) {
    throw appError('input.invalid', { message: `Enter at most ${MAX_MERGED_TAGS} tags to merge at once.` });
  }
  const uses = await usesOf(engine, siteId, [kept, ...tags]);
  const withItems = (tag: { id: string; name: string }) => ({ ...tag, items: uses.get(tag.name) ?? null });
  output.record({ merge: { into: withItems(kept), tags: tags.map(withItems) } });
  output.line(`“${kept.name}” (ID ${kept.id}) stays: ${itemsText(uses.get(kept.name))}.`);
  for (const { id, name } of tags) {
    const items = itemsText(uses.get(name));
    output.line(`“${name}” (ID ${id}): ${items}. It is replaced by “${kept.name}”, then deleted.`);
  }
  const action = `Merge ${counted(tags.length, 'tag')} into “${kept.name}”`;
  const unconfirmed = await refusalOfMerge(context, { action, isYes });
  if (unconfirmed !== null) return unconfirmed;
  // No other code runs between this answer and the beginning of the merge, which listens to interruptions.
  const merged = await mergeWithProgress(context, { siteId, keptId: kept.id, tagIds: tags.map(({ id }) => id) });
  output.record({ merged });
  output.line(`Changed: ${counted(merged.changed, 'item')}. Deleted: ${counted(merged.deleted.length, 'tag')}.`);
  const failed = reportFailed(output, merged.failed);
  const left = reportFailed(output, merged.left);
  return interruption.exitCode() ?? (failed === EXIT.complete ? left : failed);
}

/** Returns the tag that stays. An unknown one is not created: it may be a slip of the keyboard. */
function keptIn(all: readonly TagRow[], into: string): TagRow {
  try {
    return findNamed(all, 'tag', into);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'api.not-found') throw error;
    const hint = hintOf(
      similarTo(
        into,
        all.map(({ name }) => name),
      ),
    );
    throw appError('input.invalid', {
      message: `--into needs an existing tag, and the library has no tag “${into}”.${hint} To create it first, run: mediadesk admin tags create ${JSON.stringify(into)}`,
      details: { tag: into },
    });
  }
}

/** Merges tags, shows how many items are done, and ends at an interruption. */
async function mergeWithProgress(
  context: EngineContext,
  input: CallInput<'admin.mergeTags'>,
): Promise<CallOutput<'admin.mergeTags'>> {
  const { engine } = context;
  const progress = new Progress(context);
  const end = engine.on('onDidProgressTagMerge', ({ done, items }) => progress.show(`Items: ${done} of ${items}.`));
  progress.show('Reading the items with these tags…');
  try {
    return await untilInterrupted(context, { siteId: input.siteId, kind: 'mergeTags' }, () =>
      engine.call('admin.mergeTags', input),
    );
  } finally {
    end();
    progress.end();
  }
}
