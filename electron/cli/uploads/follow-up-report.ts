import type { FollowUpRow, UploadRow } from '../../../shared/contract/uploads.ts';
import type { EngineContext } from '../command-base/context.ts';
import { eachUpload } from './each-upload.ts';

const NAMES: Record<FollowUpRow['kind'], string> = {
  publish: 'publication',
  captions: 'captions',
  thumbnail: 'thumbnail',
  tags: 'tags',
  details: 'details',
  'old-file': 'replaced file',
  source: 'local file',
};

/** Returns the follow-ups of complete uploads that failed, with the text that names each. */
export function failedFollowUps(
  row: Pick<UploadRow, 'state' | 'path' | 'followUps'>,
): { what: string; followUp: FollowUpRow }[] {
  if (row.state !== 'complete') return [];
  return row.followUps.flatMap((followUp) => {
    const name = followUp.kind === 'source' || followUp.fileName === '' ? NAMES[followUp.kind] : followUp.fileName;
    return followUp.state === 'failed' ? [{ what: `${row.path}: ${name}`, followUp }] : [];
  });
}

/** Prints what failed after the files of a batch were complete. Returns whether nothing did. */
export async function reportFollowUps({ engine, output }: EngineContext, batchId: string): Promise<boolean> {
  let isAllDone = true;
  for await (const row of eachUpload(engine, { filter: 'complete', batchId })) {
    for (const { what, followUp } of failedFollowUps(row)) {
      isAllDone = false;
      output.failure(what, followUp.error);
    }
  }
  return isAllDone;
}
