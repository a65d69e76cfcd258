import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { BatchDefaults } from '../../../../shared/contract/uploads.ts';
import { type ItemFields, noItemFields } from '../../../../shared/item/fields.ts';
import { definedItemFields } from '../../../../shared/model/item-fields.ts';
import type { CompanionKind } from '../../../../shared/model/pairing/pair-files.ts';
import {
  type CompanionFile,
  companionFollowUp,
  type FollowUp,
  newFollowUp,
} from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { UNTRIED } from '../../../../shared/model/uploads/upload-machine.ts';
import type { FileFacts } from '../../ports/files.ts';

/** The values of a new row. */
export interface NewUpload {
  id: string;
  batch: { id: string; siteId: string; collectionId: string };
  path: string;
  fileName: string;
  /** Null when the file can't be read. */
  facts: FileFacts | null;
  /** The key of its drive or share; by default it is not known. */
  volume?: string;
  /** Its captions and thumbnail, and the local files from which some of the fields were read. */
  companions?: readonly CompanionFile[];
  /** The values with which the item is created. Missing fields are empty. */
  fields: Pick<ItemFields, 'title'> & Partial<ItemFields>;
  /** Why the title differs from its template; by default it does not. */
  titleNotice?: AppErrorData | null;
  defaults: Pick<BatchDefaults, 'publish' | 'duplicates' | 'source'>;
  now: number;
}

/** Returns a queued upload without any step done. */
export function newUpload(given: NewUpload): Upload {
  const {
    id,
    batch,
    path,
    fileName,
    facts,
    volume = '',
    companions = [],
    fields,
    titleNotice = null,
    defaults,
    now,
  } = given;
  const tags = fields.tags ?? [];
  return {
    id,
    batchId: batch.id,
    siteId: batch.siteId,
    collectionId: batch.collectionId,
    path,
    fileName,
    sizeBytes: facts?.sizeBytes ?? 0,
    mtimeMs: facts?.mtimeMs ?? 0,
    identity: facts?.identity ?? '',
    volume,
    ...noItemFields(),
    ...definedItemFields(fields),
    publish: defaults.publish,
    priority: 'normal',
    duplicates: defaults.duplicates,
    state: 'queued',
    ...UNTRIED,
    titleNotice,
    followUps: followUpsOf({ path, fileName, companions, tags, source: defaults.source }),
    error: null,
    addedAt: now,
    endedAt: null,
  };
}

/** Returns the follow-ups of the file: none if it is kept and has no companions and tags. */
function followUpsOf({
  path,
  fileName,
  companions,
  tags,
  source,
}: Required<Pick<NewUpload, 'path' | 'fileName' | 'companions'>> & {
  tags: readonly string[];
  source: BatchDefaults['source'];
}): FollowUp[] {
  const of = (kind: CompanionKind) => companions.filter((each) => each.kind === kind).map(companionFollowUp);
  return [
    ...of('captions'),
    ...of('thumbnail'),
    ...(tags.length > 0 ? [newFollowUp({ kind: 'tags', path: '', fileName: '' })] : []),
    ...of('details'),
    ...(source.kind === 'keep' ? [] : [newFollowUp({ kind: 'source', path, fileName, source })]),
  ];
}
