import type { Database } from '../../../electron/engine/store/database.ts';
import type { BatchStore } from '../../../electron/engine/uploads/journal/batch-store.ts';
import { toUpload, UPLOAD_COLUMNS } from '../../../electron/engine/uploads/journal/upload-columns.ts';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import type { Destination, Upload } from '../../../shared/model/uploads/upload.ts';
import { UNTRIED } from '../../../shared/model/uploads/upload-machine.ts';

/** A newly added upload, with the given changes. */
export function anUpload(changes: Partial<Upload> = {}): Upload {
  return {
    id: 'u1',
    batchId: 'b1',
    siteId: 's1',
    collectionId: 'c1',
    path: '/recordings/lecture.mp4',
    fileName: 'lecture.mp4',
    sizeBytes: 1000,
    mtimeMs: 1,
    identity: '1:1',
    volume: '',
    title: 'lecture',
    byline: '',
    description: '',
    tags: [],
    publish: { kind: 'draft' },
    priority: 'normal',
    duplicates: 'ask',
    state: 'queued',
    ...UNTRIED,
    followUps: [],
    addedAt: 0,
    ...changes,
  };
}

type NewBatch = Parameters<BatchStore['add']>[0];

/** The batch of `anUpload`, with the given changes. */
export function aBatch(changes: Partial<NewBatch> = {}): NewBatch {
  return {
    id: 'b1',
    siteId: 's1',
    collectionId: 'c1',
    collectionName: 'Physics',
    collectionRef: null,
    below: null,
    defaults: batchDefaultsSchema.parse({}),
    roots: [],
    addedAt: 1,
    ...changes,
  };
}

export const DESTINATION: Destination = {
  upload_url: 'http://127.0.0.1:1/upload/x',
  upload_file_param: 'file',
  upload_post_params: [['key', 'value']],
  postprocess_url: null,
};

/** All rows as they are stored, in queue order. */
export function storedRows(database: Database): Upload[] {
  return database.prepare(`SELECT ${UPLOAD_COLUMNS} FROM uploads ORDER BY lane, rank, seq`).all().map(toUpload);
}
