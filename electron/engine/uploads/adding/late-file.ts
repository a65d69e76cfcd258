import type { AppError } from '../../../../shared/contract/app-error.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import type { SidecarName } from '../../../../shared/model/uploads/sidecars.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { FileFacts } from '../../ports/files.ts';

/** The earlier upload to which a file is added. `read`: the facts of the file as they were when its contents were read. */
export type LateTarget = { upload: Upload } & (
  | { kind: SidecarName['kind'] }
  | { kind: 'details'; fields: Partial<ItemFields>; read: FileFacts }
);

/** A file for the item of an earlier upload. */
export interface LateFile {
  path: string;
  facts: FileFacts;
  late: LateTarget;
}

export type LateDetailsFile = LateFile & { late: Extract<LateTarget, { kind: 'details' }> };

/** A file that could not be added to the item of an earlier upload. */
export interface RefusedLateFile extends LateFile {
  error: AppError;
}
