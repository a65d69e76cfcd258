import { ADMIN_ERRORS } from './admin-errors.ts';
import { APP_ERRORS } from './app-errors.ts';
import type { CatalogEntry, Disposition } from './catalog-entry.ts';
import { COLLECTION_ERRORS } from './collection-errors.ts';
import { CONTENT_ERRORS } from './content-errors.ts';
import { DESKTOP_ERRORS } from './desktop-errors.ts';
import { EDIT_ERRORS } from './edit-errors.ts';
import { FILE_ERRORS } from './file-errors.ts';
import { GENERAL_ERRORS } from './general-errors.ts';
import { MANIFEST_ERRORS } from './manifest-errors.ts';
import { NETWORK_ERRORS } from './network-errors.ts';
import { PRESET_ERRORS } from './preset-errors.ts';
import { PROFILE_ERRORS } from './profile-errors.ts';
import { REQUEST_ERRORS } from './request-errors.ts';
import { SIGN_IN_ERRORS } from './sign-in-errors.ts';
import { TRANSFER_ERRORS } from './transfer-errors.ts';
import { UPDATE_ERRORS } from './update-errors.ts';
import { UPLOAD_ERRORS } from './upload-errors.ts';
import { WATCH_ERRORS } from './watch-errors.ts';

/** Every error that a user can see: its stable code, its sentence, the next step, and how the queue handles it. */
export const ERROR_CATALOG = {
  ...GENERAL_ERRORS,
  ...SIGN_IN_ERRORS,
  ...PROFILE_ERRORS,
  ...REQUEST_ERRORS,
  ...NETWORK_ERRORS,
  ...COLLECTION_ERRORS,
  ...EDIT_ERRORS,
  ...CONTENT_ERRORS,
  ...FILE_ERRORS,
  ...WATCH_ERRORS,
  ...MANIFEST_ERRORS,
  ...TRANSFER_ERRORS,
  ...UPLOAD_ERRORS,
  ...PRESET_ERRORS,
  ...DESKTOP_ERRORS,
  ...UPDATE_ERRORS,
  ...ADMIN_ERRORS,
  ...APP_ERRORS,
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

export function dispositionOf(code: string): Disposition {
  return code in ERROR_CATALOG ? ERROR_CATALOG[code as ErrorCode].disposition : 'permanent';
}

/** Returns whether an error may pass without anyone's help: the library can't be reached, or it or a server in front of it has a problem. */
export function isPassing(code: string): boolean {
  return dispositionOf(code) === 'wait-network' || code === 'api.server-error';
}

/** Returns whether an error of a read means that the library gives no answer now. What this computer has stored is shown then. */
export function isUnanswered(code: string): boolean {
  return isPassing(code) || dispositionOf(code) === 'wait-site';
}

/**
 * Returns whether a server in front of the library answered in its place, or the library answers nothing now: with these statuses every
 * request fails, with 500 perhaps only this one. Gateways have statuses of their own, 520 to 530.
 */
export function isOfGateway({ code, details }: { code: string; details: Record<string, unknown> | null }): boolean {
  const status = Number(details?.status);
  return code === 'api.server-error' && ((status >= 502 && status <= 504) || (status >= 520 && status <= 530));
}

/** Returns true when the queue does not retry automatically after this error. */
export function endsRetries(code: string): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'permanent' || disposition === 'ask';
}

/** Returns whether an error of one change concerns every later change as well: no library, no sign-in, no rights. */
export function endsAll(code: string): boolean {
  const disposition = dispositionOf(code);
  return (disposition !== 'permanent' && disposition !== 'ask') || code === 'admin.only';
}
