import type { SignInTarget } from '../../helpers/service/service-sign-in.ts';

/**
 * The task of a process, in its environment variable `JOB`. `prepare`: signs in. `make`: makes three collections in each
 * other without a connection, renames one, and adds an upload to the innermost. `send`: sends what is stored.
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

/** What it prints at its end: how often each effect occurred. */
export interface NewCollectionsReport {
  passes: Record<string, number>;
}

/** The collections by the names with which they are made, outermost first. */
export const NAMES = ['Top', 'Middle', 'Inner'] as const;
export const RENAMED = 'Center';
