import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { BatchDefaults } from '../../../../shared/contract/uploads.ts';
import { type ItemFields, noItemFields } from '../../../../shared/item/fields.ts';
import { definedItemFields } from '../../../../shared/model/item-fields.ts';
import {
  type DescribingFile,
  describedBy,
  type FollowUp,
  type KnownFile,
  newFollowUp,
} from '../../../../shared/model/uploads/follow-ups.ts';
import type { SidecarName } from '../../../../shared/model/uploads/sidecars.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { UNTRIED } from '../../../../shared/model/uploads/upload-machine.ts';
import type { FileFacts } from '../../ports/files.ts';

/** Captions or a thumbnail of a new row. */
export interface NewSidecar extends SidecarName {
  path: string;
  known: KnownFile;
}

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
  sidecars: readonly NewSidecar[];
  /** The local files from which some of the fields were read. */
  details?: readonly DescribingFile[];
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
    sidecars,
    details = [],
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
    followUps: followUpsOf({ path, fileName, sidecars, details, tags, source: defaults.source }),
    error: null,
    addedAt: now,
    endedAt: null,
  };
}

/** Returns the follow-ups of the file: none if it is kept and has no sidecars, tags or details. */
function followUpsOf({
  path,
  fileName,
  sidecars,
  details,
  tags,
  source,
}: Pick<NewUpload, 'path' | 'fileName' | 'sidecars'> & {
  details: NonNullable<NewUpload['details']>;
  tags: readonly string[];
  source: BatchDefaults['source'];
}): FollowUp[] {
  return [
    ...sidecars.filter(({ kind }) => kind === 'captions').map((sidecar) => newFollowUp(sidecar)),
    ...sidecars.filter(({ kind }) => kind === 'thumbnail').map((sidecar) => newFollowUp(sidecar)),
    ...(tags.length > 0 ? [newFollowUp({ kind: 'tags', path: '', fileName: '' })] : []),
    ...details.map(describedBy),
    ...(source.kind === 'keep' ? [] : [newFollowUp({ kind: 'source', path, fileName, source })]),
  ];
}
