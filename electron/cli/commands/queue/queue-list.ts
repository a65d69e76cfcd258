import { type UploadFilter, uploadFilterSchema } from '../../../../shared/contract/uploads.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { noOperands, oneOf, optionText } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { formatBytes } from '../../output/text-format.ts';
import { NOT_SENT_YET } from '../../uploads/changed-uploads.ts';
import { eachUpload } from '../../uploads/each-upload.ts';
import { requireBatch } from '../../uploads/known-uploads.ts';
import { restDetail, workedOnDetail } from '../../uploads/progress-text.ts';
import { explainIdleQueue } from '../../uploads/work-until-idle.ts';

interface ListInput {
  filter: UploadFilter;
  batchId: string | null;
}

export const queueListCommand = defineEngineCommand<ListInput>({
  name: 'queue list',
  operands: '',
  summary: 'List uploads.',
  options: {
    filter: {
      value: 'KIND',
      values: uploadFilterSchema.options,
      help: `Only these: ${uploadFilterSchema.options.join(', ')}. Default: all.`,
    },
    batch: { value: 'ID', help: 'Only the uploads of this batch.' },
  },
  read(values, operands) {
    noOperands(operands);
    return {
      filter: oneOf(values, 'filter', uploadFilterSchema.options, 'all'),
      batchId: optionText(values, 'batch'),
    };
  },
  reads: () => true,
  run: listQueue,
});

async function listQueue(context: EngineContext, { filter, batchId }: ListInput): Promise<ExitCode> {
  const { output, isElsewhere } = context;
  await requireBatch(context, batchId);
  const rows: string[][] = [];
  let isOpen = false;
  for await (const row of eachUpload(context.engine, { filter, batchId })) {
    output.record({ upload: row });
    if (!output.json)
      rows.push([
        row.id,
        row.fileName,
        formatBytes(row.sizeBytes),
        isElsewhere ? workedOnDetail(row, Date.now()) : restDetail(row),
      ]);
    if (!isEnded(row.state) && row.state !== 'paused') isOpen = true;
  }
  output.table(['UPLOAD', 'FILE', 'SIZE', 'STATE'], rows);
  if (rows.length === 0) output.note('No uploads.');
  else if (isElsewhere) output.note('Mediadesk is running with this profile and works on this queue.');
  else {
    explainIdleQueue(context, await context.engine.call('uploads.totals', null));
    if (isOpen) output.note(NOT_SENT_YET);
  }
  return EXIT.complete;
}
