// Answers of the library to changes of roles, while the user goes on switching, selects another role or leaves the library.
import { beforeEach, describe, expect, it } from 'vitest';
import { useAdmin } from '../../../../../renderer/features/admin/state/admin-store.ts';
import {
  createRole,
  deleteRole,
  dropLostDraft,
  isStale,
  leaveDraft,
  openRoles,
  rebaseDraft,
  saveRole,
  selectRole,
  switchInDraft,
  useRoles,
} from '../../../../../renderer/features/admin/state/roles-store.ts';
import { forgetFormDraftsOf } from '../../../../../renderer/features/common/state/form-drafts.ts';
import { useMessages } from '../../../../../renderer/features/common/state/messages-store.ts';
import type { RoleRow } from '../../../../../shared/contract/admin/access.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

const role = (id: string): RoleRow =>
  ({ id, name: `Role ${id}`, permissions: ['collection-read'], memberships: 0 }) as unknown as RoleRow;
const [viewer, editor] = [role('1'), role('2')];
const messages = () => useMessages.getState().messages.map(({ text }) => text);
const draft = () => useRoles.getState().draft;

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useAdmin.setState({ siteId: 's' });
  forgetFormDraftsOf('s');
  openRoles(null);
  openRoles('s');
  selectRole(viewer.id);
});

describe('saving a role', () => {
  beforeEach(() => {
    switchInDraft(viewer, 'media-read', true);
    void saveRole(viewer.name);
  });

  it('ends the draft when nothing else was switched', async () => {
    await bridge.take('admin.changeRole').answer(viewer);
    expect([draft(), useRoles.getState().isSaving, messages()]).toEqual([null, false, ['Role “Role 1” saved.']]);
  });

  it('keeps the switches that were made meanwhile, as changes of what is saved', async () => {
    switchInDraft(viewer, 'media-create', true);
    const { input, answer } = bridge.take('admin.changeRole');
    await answer(viewer);
    expect(draft()?.seen).toEqual(input.permissions);
    expect(draft()?.permissions).toContain('media-create');
    void saveRole(viewer.name);
    expect(bridge.take('admin.changeRole').input).toMatchObject({ seen: input.permissions });
  });

  it('keeps the draft of another role', async () => {
    selectRole(editor.id);
    leaveDraft(true);
    switchInDraft(editor, 'media-read', true);
    const own = draft();
    await bridge.take('admin.changeRole').answer(viewer);
    expect(draft()).toBe(own);
  });

  it('says in a message why it failed when another role is shown, and keeps the draft of that one', async () => {
    selectRole(editor.id);
    leaveDraft(true);
    switchInDraft(editor, 'media-read', true);
    await bridge.take('admin.changeRole').refuse('admin.role-differs');
    expect([draft()?.roleId, useRoles.getState().error, useRoles.getState().isSaving]).toEqual(['2', null, false]);
    expect(messages()).toEqual(['The library saved other permissions than you chose.']);
  });

  it('changes nothing in the roles of another library', async () => {
    useAdmin.setState({ siteId: 't' });
    openRoles('t');
    selectRole(viewer.id);
    switchInDraft(viewer, 'media-read', true);
    const own = draft();
    await bridge.take('admin.changeRole').answer(viewer);
    expect(draft()).toBe(own);
  });
});

describe('creating a role', () => {
  it('that the library saved with other permissions does not fail: the role exists, and a message says what differs', async () => {
    const created = createRole({ name: 'Cutter', permissions: [] });
    await bridge.take('admin.createRole').refuse('admin.role-differs', { roleId: '9' });
    await created;
    expect(messages()).toEqual(['The library saved other permissions than you chose.']);
    expect(useRoles.getState().roleId).toBe('9');
  });

  it('that the library refused fails with the reason', async () => {
    const created = createRole({ name: 'Cutter', permissions: [] });
    const failed = expect(created).rejects.toMatchObject({ data: { code: 'api.forbidden' } });
    await bridge.take('admin.createRole').refuse('api.forbidden');
    await failed;
    expect([messages(), useRoles.getState().roleId]).toEqual([[], '1']);
  });
});

it('deleting a role keeps the selection and the draft of another role', async () => {
  void deleteRole('site', { ...editor, seen: 'seen' });
  switchInDraft(viewer, 'media-read', true);
  await bridge.take('admin.deleteRole').answer(null);
  expect([useRoles.getState().roleId, draft()?.roleId]).toEqual(['1', '1']);
});

describe('a draft of a role that somebody else changed', () => {
  it('keeps both changes, and is over when theirs are the same', () => {
    switchInDraft(viewer, 'media-read', true);
    const theirs = { ...viewer, permissions: ['collection-read', 'collection-create'] };
    const before = draft();
    expect(before !== null && isStale(before, theirs)).toBe(true);
    rebaseDraft(theirs);
    const after = draft();
    expect(after?.permissions.toSorted()).toEqual(['collection-create', 'collection-read', 'media-read']);
    expect(after !== null && isStale(after, theirs)).toBe(false);
    rebaseDraft({ ...viewer, permissions: ['collection-read', 'collection-create', 'media-read'] });
    expect(draft()).toBeNull();
  });

  it('that begins on a list which is older than the last save is about what was saved', async () => {
    switchInDraft(viewer, 'media-read', true);
    const saved = draft()?.permissions ?? [];
    const saving = saveRole(viewer.name);
    await bridge.take('admin.changeRole').answer(viewer);
    await saving;
    expect(draft()).toBeNull();
    switchInDraft(viewer, 'collection-create', true);
    const now = draft();
    expect(now?.seen).toEqual(saved);
    expect(now?.permissions.toSorted()).toEqual([...saved, 'collection-create'].toSorted());
    for (const permissions of [viewer.permissions, saved]) {
      expect(now !== null && isStale(now, { ...viewer, permissions: [...permissions] })).toBe(false);
    }
  });

  it('is not taken for changed by the list that is older than its own save', async () => {
    switchInDraft(viewer, 'media-read', true);
    void saveRole(viewer.name);
    switchInDraft(viewer, 'media-create', true);
    await bridge.take('admin.changeRole').answer(viewer);
    const left = draft();
    expect(left !== null && isStale(left, viewer)).toBe(false);
  });
});

describe('unsaved changes of a role', () => {
  it('are there when the library is opened again, and go when it is signed out or the role was deleted', () => {
    switchInDraft(viewer, 'media-read', true);
    const before = draft();
    openRoles('other');
    expect(draft()).toBeNull();
    openRoles('s');
    expect([useRoles.getState().roleId, draft()?.seen, draft()?.permissions]).toEqual([
      viewer.id,
      before?.seen,
      before?.permissions,
    ]);
    expect(dropLostDraft([viewer, editor])).toBe(false);
    expect(dropLostDraft([editor])).toBe(true);
    expect(draft()).toBeNull();
    switchInDraft(viewer, 'media-read', true);
    forgetFormDraftsOf('s');
    openRoles(null);
    openRoles('s');
    expect(draft()).toBeNull();
  });
});
