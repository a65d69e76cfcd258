/** Why a backup could not be made or used: a stable code, and a sentence for the operator. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type ArchiveErrorCode =
  | 'folder.no-parent'
  | 'folder.not-writable'
  | 'backup.exists'
  | 'backup.interrupted-before'
  | 'backup.inside-data'
  | 'backup.no-library'
  | 'backup.no-operations'
  | 'backup.refused'
  | 'backup.service-ended'
  | 'restore.not-empty'
  | 'restore.not-whole'
  | 'restore.changed';
