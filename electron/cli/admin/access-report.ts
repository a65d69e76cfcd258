import type { ReportPerson, ReportPlace, ReportWay } from '../../../shared/contract/admin/access.ts';

/** The columns of a report of access, in their order. They stay: scripts read them. */
export const REPORT_COLUMNS = [
  ...(['user id', 'name', 'email', 'collection id', 'collection', 'permissions', 'ways'] as const),
] as const;

const EVERYTHING = 'everything';

/**
 * Returns the rows of a user: one for each collection with permissions, none without any. An administrator has one row, without a
 * collection.
 */
export function reportRows({ id, name, email, isAdmin, places }: ReportPerson): string[][] {
  const user = [id, name, email];
  if (isAdmin) return [[...user, '', '', EVERYTHING, 'administrator']];
  return places.map(({ collectionId, path, permissions, ways }) => [
    ...user,
    ...[collectionId, path.join(' / '), permissions.join('; '), ways.map(reportWayText).join('; ')],
  ]);
}

/** The same as records for programs. */
export function reportRecords({ places, ...user }: ReportPerson): (typeof user & Partial<ReportPlace>)[] {
  return user.isAdmin ? [user] : places.map((place) => ({ ...user, ...place }));
}

/** Returns a way such as `Viewer, directly` or `Editor by the group “Crew”, inherited from “Library / Physics”`. */
function reportWayText({ role, group, inheritedFrom }: ReportWay): string {
  const by = group === null ? ', directly' : ` by the group “${group.name || group.id}”`;
  const from = inheritedFrom === null ? '' : `, inherited from “${inheritedFrom.path.join(' / ')}”`;
  return `${role.name || role.id}${by}${from}`;
}
