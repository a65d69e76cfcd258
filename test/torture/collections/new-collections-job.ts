import type { SignInTarget } from '../../helpers/service/service-sign-in.ts';

/**
 * The task of a process, in its environment variable `JOB`. `prepare`: signs in. `make`: creates three nested collections without
 * a connection, renames one, and adds an upload to the innermost. `send`: sends the stored edits and the upload.
 */
export interface NewCollectionsJob {
  profileDir: string;
  site: SignInTarget;
  step: 'prepare' | 'make' | 'send';
  parentId: string;
  /** The file of the upload. */
  path: string;
  /** The start of the fast clock that all processes of a case share. */
  epochMs: number;
}

/** The output of the process at its end: the number of occurrences of each effect. */
export interface NewCollectionsReport {
  passes: Record<string, number>;
}

/** The names with which the collections are created, outermost first. */
export const NAMES = ['Top', 'Middle', 'Inner'] as const;
export const RENAMED = 'Center';
