import type { AccessSubject, MembershipRow } from '../../../shared/contract/admin/access.ts';
import { isSameSubject } from '../../../shared/model/access/access-facts.ts';
import { membershipRows } from './admin-rows.ts';
import type { Directory } from './directory.ts';

/** Which memberships a list contains; null: all. */
interface MembershipFilter {
  subject: AccessSubject | null;
  collectionId: string | null;
  roleId: string | null;
}

interface MembershipList {
  /** Returns the memberships of a filter, sorted once for all pages of a list. */
  rowsOf(directory: Directory, filter: MembershipFilter): readonly MembershipRow[];
}

/** Creates the list of memberships. It keeps the last rows of a directory until the filter or an entry changes, never longer than the directory. */
export function createMembershipList(): MembershipList {
  const last = new WeakMap<Directory, { key: string; rows: readonly MembershipRow[] }>();
  return {
    rowsOf(directory, { subject, collectionId, roleId }) {
      const key = JSON.stringify([directory.revision, subject?.kind, subject?.id, collectionId, roleId]);
      const known = last.get(directory);
      if (known?.key === key) return known.rows;
      const rows = membershipRows(
        directory,
        (membership) =>
          (subject === null || isSameSubject(membership.subject, subject)) &&
          (collectionId === null || membership.collectionId === collectionId) &&
          (roleId === null || membership.roleId === roleId),
      );
      last.set(directory, { key, rows });
      return rows;
    },
  };
}
