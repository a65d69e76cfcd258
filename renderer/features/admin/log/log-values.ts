import type { AdminLogEntry } from '../../../../shared/contract/admin/admin-calls.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import { texts } from './texts.ts';

/** The actions whose values are names of permissions. */
const OF_PERMISSIONS: ReadonlySet<string> = new Set([
  ...['createRole', 'deleteRole', 'addPermissions', 'removePermissions'],
]);

/** Returns what was changed, in words. A later version of the log may have other actions. */
export function actionText(action: string): string {
  const known: Readonly<Partial<Record<string, string>>> = texts.actions;
  return known[action] ?? action;
}

/** Returns a value before or after a change, in words. */
export function loggedValueText(action: string, value: string): string {
  if (value === '') return texts.nothing;
  if (OF_PERMISSIONS.has(action)) return permissionNames(value.split(' '));
  if (action === 'setInheritance') return value === 'true' ? texts.inherits.true : texts.inherits.false;
  return value;
}

/** Returns the name of the value after a change: permissions are logged as what was added or removed. */
export function afterLabel(action: string): string {
  if (action === 'addPermissions') return texts.added;
  return action === 'removePermissions' ? texts.removed : texts.after;
}

/** Returns the outcome in words, with the reason of a failure. */
export function loggedOutcomeText({ outcome }: AdminLogEntry): string {
  if (outcome === 'done') return texts.succeeded;
  return outcome in ERROR_CATALOG ? texts.failedWith(ERROR_CATALOG[outcome as ErrorCode].message) : texts.failed;
}
