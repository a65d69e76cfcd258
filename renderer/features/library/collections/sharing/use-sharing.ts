import { useState } from 'react';
import type { AccessChange, AccessEffects } from '../../../../../shared/contract/admin/access.ts';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { useLoaded } from '../../../../kit/async/use-loaded.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import type { AccessViewer } from '../../../common/access/view-as-dialog.tsx';

export interface SharingTarget {
  siteId: string;
  collectionId: string;
}

export interface NamedRole {
  id: string;
  name: string;
  /** Empty when the account may not read them. */
  permissions: readonly string[];
}

/** The changes that the dialog of one collection can make. */
export type SharingChange = Exclude<AccessChange, { kind: 'role' }>;

/** A change that the user chose and did not confirm yet. */
export interface Planned {
  change: SharingChange;
  /** What it is, as a sentence. */
  title: string;
  /** Whom it is about; null: nobody in particular. */
  viewer: AccessViewer | null;
  /** What it means for people; null while that is computed. `unknown`: only administrators can read it. */
  effects: AccessEffects | 'unknown' | null;
  error: AppErrorData | null;
  isSending: boolean;
}

/** Reads who has which role in a collection, and makes changes after they were confirmed. */
export function useSharing({ siteId, collectionId }: SharingTarget) {
  const members = useLoaded(collectionId, () => call('library.collectionMembers', { siteId, collectionId }));
  // The first read of all users and roles of a large library takes seconds: the members don't wait for it.
  const known = useLoaded(siteId, () => rolesOf(siteId));
  /** The roles of the library; null for accounts that may not read them, undefined until that is known. */
  const roles = known.value?.roles;
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [plans] = useState(latestOnly);
  const load = async () => void (await Promise.all([members.load(), known.load()]));

  const plan = async (change: SharingChange, title: string, viewer: AccessViewer | null = null) => {
    // The change that is being sent stays on the screen until its answer.
    if (planned?.isSending === true) return;
    const read = plans.begin();
    const next: Planned = {
      change,
      title,
      viewer,
      effects: roles == null ? 'unknown' : null,
      error: null,
      isSending: false,
    };
    setPlanned(next);
    if (roles == null) return;
    try {
      const effects = await call('access.effects', { siteId, change });
      if (read.isLatest()) setPlanned({ ...next, effects });
    } catch (thrown) {
      if (read.isLatest()) setPlanned({ ...next, error: toErrorData(thrown) });
    }
  };
  const drop = () => {
    plans.cancel();
    setPlanned(null);
  };
  const confirm = async () => {
    if (planned === null || planned.isSending) return;
    setPlanned({ ...planned, isSending: true, error: null });
    try {
      await send(siteId, collectionId, planned.change);
      setPlanned(null);
    } catch (thrown) {
      setPlanned({ ...planned, error: toErrorData(thrown), isSending: false });
    }
    await load();
  };
  const error = members.error ?? known.error;
  return { members: members.value, roles, error, planned, load, plan, drop, confirm };
}

async function send(siteId: string, collectionId: string, change: SharingChange): Promise<void> {
  switch (change.kind) {
    case 'set':
      await call('access.set', {
        siteId,
        collectionId,
        subject: change.subject,
        roleId: change.roleId,
        ...(change.membershipId === undefined ? {} : { membershipId: change.membershipId }),
      });
      return;
    case 'remove':
      await call('access.remove', { siteId, collectionId, membershipId: change.membershipId, roleId: change.roleId });
      return;
    case 'inherit':
      await call('access.inherit', { siteId, collectionId, inherits: change.inherits, keeps: change.keeps });
  }
}

/** Returns the roles of a library; null for an account that is no administrator. */
async function rolesOf(siteId: string): Promise<{ roles: readonly NamedRole[] | null }> {
  try {
    return { roles: await call('admin.roles', { siteId }) };
  } catch (thrown) {
    if (toErrorData(thrown).code === 'admin.only') return { roles: null };
    throw thrown;
  }
}
