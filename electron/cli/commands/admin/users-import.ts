import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { type PeopleImport, planPeopleImport } from '../../../../shared/model/access/people-import.ts';
import { reportOutcome } from '../../admin/admin-outcome.ts';
import { applyPeopleImport } from '../../admin/apply-people-import.ts';
import { defineTableImport, plannedCountsText } from '../../admin/define-table-commands.ts';
import { allPeople } from '../../admin/find-person.ts';
import { shortened } from '../../admin/table-import.ts';

/** Checks a table of users against the library, and makes its changes with `--apply`. The same table again sends nothing. */
export const adminUsersImportCommand = defineTableImport<PeopleImport>({
  name: 'admin users import',
  summary: 'Show what a CSV or XLSX file with users would create and change; do it with --apply.',
  applyHelp: 'Create and change the users. Rows with a problem are skipped.',
  changed: 'users',
  noColumns: 'The file has no column “email” or “unique id”.',
  async plan({ engine }, { siteId, userId }, rows) {
    const groups = await engine.call('admin.groups', { siteId });
    return planPeopleImport(rows, { people: await allPeople(engine, siteId), groups, actorId: userId });
  },
  async print({ engine, output }, siteId, plan) {
    for (const line of planLines(plan, await engine.call('admin.groups', { siteId }))) output.line(line);
  },
  counts: importSummary,
  async apply(context, siteId, plan, path) {
    const groups = await context.engine.call('admin.groups', { siteId });
    const outcome = await applyPeopleImport(context, siteId, { plan, groups, source: path });
    return reportOutcome(context, 'imported', { one: 'user', outcome });
  },
});

/** Returns the numbers of rows of each kind as a sentence. */
export function importSummary(rows: number, { update, ...plan }: PeopleImport): string {
  return plannedCountsText(rows, 'a user', { ...plan, change: update });
}

/** Returns a line for each row that is skipped, then for each that changes something: the reasons are never cut off by the others. */
function planLines({ create, update, skipped }: PeopleImport, groups: readonly GroupRow[]): string[] {
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  const joins = (ids: readonly string[]) => ids.map((id) => `joins “${nameOf.get(id) ?? id}”`);
  const lines = [
    ...create.map((row) => {
      const facts = [row.email, ...(row.isAdmin ? ['administrator'] : []), ...joins(row.addGroups)];
      return { line: row.line, text: `create “${row.firstName} ${row.lastName}”: ${facts.join(', ')}` };
    }),
    ...update.map(({ line, person, patch: { isAdmin, uniqueId }, addGroups }) => {
      const facts = [
        ...(isAdmin === undefined ? [] : [isAdmin ? 'becomes an administrator' : 'is no administrator any more']),
        ...(uniqueId === undefined ? [] : [`unique ID ${person.uniqueId} → ${uniqueId}`]),
        ...joins(addGroups),
      ];
      return { line, text: `change “${person.name}”: ${facts.join(', ')}` };
    }),
  ].sort((one, other) => one.line - other.line);
  return [
    ...shortened(skipped.map(({ line, reason }) => `line ${line}: skip: ${reason}`)),
    ...shortened(lines.map(({ line, text }) => `line ${line}: ${text}`)),
  ];
}
