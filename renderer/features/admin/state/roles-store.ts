import { create } from 'zustand';
import type { Permission } from '../../../../shared/api/permissions.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import { isSameSet } from '../../../../shared/model/access/explain-access.ts';
import { rebasedRole } from '../../../../shared/model/access/rebased-role.ts';
import { switchPermission, withNeededPermissions } from '../../../../shared/model/access/role-draft.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { formDraft, storeFormDraft } from '../../common/state/form-drafts.ts';
import { notify, showError } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';
import { changeLibrary } from './change-library.ts';
import { texts } from './texts.ts';

/** Unsaved changes of the permissions of one role. */
export interface RoleDraft {
  roleId: string;
  /** The permissions when the first change was made. */
  seen: readonly string[];
  permissions: readonly string[];
  /** The permissions before an earlier save of the same role, which lists can show for a moment; null: nothing was saved. */
  saved: readonly string[] | null;
  /** The latest switch, with the permissions that changed with it. */
  latest: { name: Permission; isOn: boolean; also: readonly Permission[] } | null;
}

interface RolesState {
  siteId: string | null;
  /** The role whose permissions can be switched. */
  roleId: string | null;
  draft: RoleDraft | null;
  isSaving: boolean;
  /** What was saved last: lists can show the permissions before it (`seen`) for a moment. */
  lastSaved: Pick<RoleDraft, 'roleId' | 'seen' | 'permissions'> | null;
  /** Why the draft was not saved. */
  error: AppErrorData | null;
  /** The role that the user wants to see while another one has unsaved changes. */
  nextId: string | null;
  /** The ids of the roles that are not among the compared ones. */
  hidden: ReadonlySet<string>;
}

const START: Omit<RolesState, 'siteId'> = {
  roleId: null,
  draft: null,
  isSaving: false,
  lastSaved: null,
  error: null,
  nextId: null,
  hidden: new Set<string>(),
};

/** The roles of the shown library: which one is selected, and its unsaved changes. They stay while other tabs are shown. */
export const useRoles = create<RolesState>(() => ({ siteId: null, ...START }));

// Unsaved changes stay on this computer until they are saved or discarded.
useRoles.subscribe(({ siteId, draft }, before) => {
  if (siteId === null || siteId !== before.siteId || draft === before.draft) return;
  if (draft === null) storeFormDraft(siteId, 'role', null);
  else storeFormDraft(siteId, 'role', { roleId: draft.roleId, seen: draft.seen, permissions: draft.permissions });
});

/** Starts without a selection when another library is shown; with the unsaved changes of a role that are stored for it. */
export function openRoles(siteId: string | null): void {
  if (siteId === useRoles.getState().siteId) return;
  const draft = siteId === null ? null : storedRole(siteId);
  useRoles.setState({ siteId, ...START, draft, roleId: draft?.roleId ?? null });
}

function storedRole(siteId: string): RoleDraft | null {
  const { roleId, seen, permissions } = formDraft(siteId, 'role') ?? {};
  if (typeof roleId !== 'string' || !Array.isArray(seen) || !Array.isArray(permissions)) return null;
  return { roleId, seen, permissions, saved: null, latest: null };
}

/** Removes the unsaved changes of a role that somebody else deleted. Returns whether there were any. */
export function dropLostDraft(roles: readonly RoleRow[]): boolean {
  const { draft } = useRoles.getState();
  if (draft === null || roles.some(({ id }) => id === draft.roleId)) return false;
  useRoles.setState({ draft: null, roleId: null, error: null });
  return true;
}

/** Selects a role. While another one has unsaved changes, the user is asked first. */
export function selectRole(roleId: string): void {
  const { draft } = useRoles.getState();
  if (draft !== null && draft.roleId !== roleId) useRoles.setState({ nextId: roleId });
  else useRoles.setState({ roleId, ...(draft === null ? { error: null } : {}) });
}

/** Answers the question of `selectRole`. */
export function leaveDraft(isDiscarded: boolean): void {
  const { nextId } = useRoles.getState();
  useRoles.setState({ nextId: null });
  if (isDiscarded && nextId !== null) useRoles.setState({ roleId: nextId, draft: null, error: null });
}

/** Returns the draft of a role, or where a new one begins. */
function draftOf(role: RoleRow): Omit<RoleDraft, 'latest'> {
  const { draft, lastSaved } = useRoles.getState();
  if (draft?.roleId === role.id) return draft;
  const { permissions } = role;
  const isBehind = lastSaved?.roleId === role.id && isSameSet(permissions, lastSaved.seen);
  return isBehind
    ? { ...lastSaved, seen: lastSaved.permissions, saved: lastSaved.seen }
    : { roleId: role.id, seen: permissions, permissions, saved: null };
}

/** Switches a permission of a role in its draft. Only `saveRole` sends it to the library. */
export function switchInDraft(role: RoleRow, name: Permission, isOn: boolean): void {
  const now = draftOf(role);
  const { permissions, also } = switchPermission(now.permissions, name, isOn);
  keep({ ...now, roleId: role.id, permissions, latest: { name, isOn, also } });
}

/** Adds to the draft of a role all that its permissions depend on. */
export function completeDraft(role: RoleRow): void {
  const now = draftOf(role);
  keep({ ...now, roleId: role.id, permissions: withNeededPermissions(now.permissions), latest: null });
}

function keep(draft: RoleDraft): void {
  useRoles.setState({ draft: isSameSet(draft.permissions, draft.seen) ? null : draft, error: null });
}

/** Makes the unsaved changes of a role on what another administrator saved meanwhile. Those that would undo it are dropped. */
export function rebaseDraft(role: RoleRow): void {
  const { draft } = useRoles.getState();
  if (draft?.roleId !== role.id) return;
  const { permissions } = rebasedRole(draft.seen, draft.permissions, role.permissions);
  keep({ roleId: role.id, seen: role.permissions, permissions, saved: null, latest: null });
}

/** Whether somebody else has saved other permissions than those from which a draft began. */
export function isStale({ seen, saved }: RoleDraft, { permissions }: RoleRow): boolean {
  return !isSameSet(seen, permissions) && !(saved !== null && isSameSet(saved, permissions));
}

export function discardRoleDraft(): void {
  useRoles.setState({ draft: null, error: null });
}

/** Shows the columns of exactly these roles. */
export function hideRoles(hidden: ReadonlySet<string>): void {
  useRoles.setState({ hidden });
}

/**
 * Saves the draft. When another administrator changed the role in the meantime, nothing is saved and the draft stays. Switches that the
 * user makes meanwhile stay unsaved; so does the draft of another role.
 */
export async function saveRole(name: string): Promise<void> {
  const { siteId } = useAdmin.getState();
  const { draft: sent, isSaving } = useRoles.getState();
  if (siteId === null || sent === null || isSaving) return;
  useRoles.setState({ isSaving: true, error: null });
  const { roleId, seen, permissions } = sent;
  /** The present state, unless the user has left the library meanwhile. */
  const present = () => (useRoles.getState().siteId === siteId ? useRoles.getState() : null);
  try {
    await call('admin.changeRole', { siteId, roleId, seen: [...seen], permissions: [...permissions] });
    const draft = present()?.draft ?? null;
    if (present() !== null) useRoles.setState({ isSaving: false, lastSaved: { roleId, seen, permissions } });
    if (draft === sent) useRoles.setState({ draft: null });
    else if (draft?.roleId === roleId) keep({ ...draft, seen: permissions, saved: seen });
    notify(texts.roles.saved(name));
  } catch (thrown) {
    const error = toErrorData(thrown);
    const now = present();
    if (now !== null) useRoles.setState({ isSaving: false });
    if (now === null || now.roleId !== roleId) return showError(thrown);
    // The library has saved something else: the draft is not about the present permissions any more.
    const isOver = error.code === 'admin.role-differs' && now.draft?.roleId === roleId;
    useRoles.setState({ error, ...(isOver ? { draft: null } : {}) });
  }
}

/** Renames a role. Resolves with false when the library refused it. */
export function renameRole({ id, permissions }: RoleRow, name: string): Promise<boolean> {
  return changeLibrary((siteId) =>
    call('admin.changeRole', { siteId, roleId: id, name, seen: permissions, permissions }),
  );
}

/**
 * Creates a role and selects it. When the library saved other permissions, the role exists: a message says so. Throws the other errors
 * of the library: the role was not created.
 */
export async function createRole(input: Omit<CallInput<'admin.createRole'>, 'siteId'>): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) throw new Error('No library is open');
  let id: string | null;
  try {
    ({ id } = await call('admin.createRole', { siteId, ...input }));
  } catch (thrown) {
    const { code, details } = toErrorData(thrown);
    if (code !== 'admin.role-differs') throw thrown;
    showError(thrown);
    id = typeof details?.roleId === 'string' ? details.roleId : null;
  }
  const now = useRoles.getState();
  if (id !== null && now.siteId === siteId && now.draft === null) useRoles.setState({ roleId: id, error: null });
}

/** Deletes a role with its memberships. Throws the errors of the library, and `admin.deletion-changed`. */
export async function deleteRole(
  siteId: string,
  { id, name, seen }: Pick<CallOutput<'admin.deletionOfRole'>, 'id' | 'name' | 'seen'>,
): Promise<void> {
  await call('admin.deleteRole', { siteId, roleId: id, seen });
  const { roleId, draft } = useRoles.getState();
  if (roleId === id) useRoles.setState({ roleId: null, error: null });
  if (draft?.roleId === id) useRoles.setState({ draft: null });
  notify(texts.roles.deleted(name));
}
