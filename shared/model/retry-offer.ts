import { dispositionOf, ERROR_CATALOG } from '../contract/error-catalog.ts';
import type { UploadRow } from '../contract/uploads.ts';
import { asksAboutDuplicate } from './upload-machine.ts';

type Row = Pick<UploadRow, 'state' | 'error'> & {
  followUps: readonly Pick<UploadRow['followUps'][number], 'state' | 'error'>[];
};

/**
 * Whether a retry can change how an upload stands, so that it is offered. Not for an error whose cause no retry removes, nor
 * while the upload waits for the whole site: it begins by itself as soon as the site is back, and not before.
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

/** Returns true also for an unknown code of another version. */
function canHelp(error: { code: string } | null): boolean {
  return error === null || !Object.hasOwn(ERROR_CATALOG, error.code) || dispositionOf(error.code) !== 'permanent';
}
