import { dispositionOf, ERROR_CATALOG } from '../../contract/errors/error-catalog.ts';
import type { UploadRow } from '../../contract/uploads.ts';
import { asksAboutDuplicate } from './upload-machine.ts';

type Row = Pick<UploadRow, 'state' | 'error'> & {
  followUps: readonly Pick<UploadRow['followUps'][number], 'state' | 'error'>[];
};

/**
 * Returns true when a retry is offered because it can change the state of the upload. Returns false for permanent
 * errors, and while the upload waits for the whole site: it then resumes automatically when the site is back.
 */
export function offersRetry(row: Row): boolean {
  switch (row.state) {
    case 'cancelled':
      return true;
    case 'failed':
      return !asksAboutDuplicate(row) && canHelp(row.error);
    case 'waiting':
      return !['wait-network', 'wait-site', 'wait-keychain', 'sign-in'].includes(dispositionOf(row.error?.code ?? ''));
    case 'complete':
      return row.followUps.some(({ state, error }) => state === 'failed' && canHelp(error));
    default:
      return false;
  }
}

/** Returns true also for an unknown code, which another version may use. */
function canHelp(error: { code: string } | null): boolean {
  return error === null || !Object.hasOwn(ERROR_CATALOG, error.code) || dispositionOf(error.code) !== 'permanent';
}
