import type { ReportPerson } from '../../../../shared/contract/admin/access.ts';
import { MAX_REPORT_USERS } from '../../../../shared/model/access/admin-limits.ts';
import { REPORT_COLUMNS, reportRecords, reportRows } from '../../admin/access-report.ts';
import { counted } from '../../admin/admin-outcome.ts';
import { findListedPeople } from '../../admin/find-person.ts';
import {
  csvTexts,
  FORCE_OPTION,
  readSaveTarget,
  refuseExisting,
  type SaveTarget,
  saveCsv,
} from '../../admin/save-csv.ts';
import { noOperands, optionText } from '../../arguments/options.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { Progress } from '../../output/progress.ts';

interface ReportInput {
  collection: string | null;
  users: string | null;
  /** null: standard output. */
  save: SaveTarget | null;
}

/** What a report contains. */
interface Counts {
  users: number;
  rows: number;
  withoutPermissions: number;
}

/** Lists who may do what in which collection, one row for each user and collection. */
export const accessReportCommand = defineEngineCommand<ReportInput>({
  name: 'access report',
  operands: '',
  summary: 'Print as CSV who may do what in which collection, and why.',
  options: {
    collection: { value: 'COLLECTION', help: 'Only this collection: ID, slug, path or name.' },
    users: { value: 'PERSONS', help: 'Only these users, separated by commas: IDs, e-mail addresses or names.' },
    out: { value: 'FILE', help: 'Save it as a file that only you can read, instead of printing it.' },
    ...FORCE_OPTION,
  },
  read(values, operands) {
    noOperands(operands);
    const [collection, users] = [optionText(values, 'collection'), optionText(values, 'users')];
    return { collection, users, save: readSaveTarget(values, 'out') };
  },
  run: report,
});

/** Writes the report; exported for tests, which interrupt it between two parts. */
export async function report(context: EngineContext, { collection, users, save }: ReportInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { id: siteId } = await currentSite(context);
  if (save !== null) await refuseExisting(save, 'access report');
  const { skipped } = await engine.call('admin.read', { siteId });
  const collectionId = collection === null ? null : (await findCollection(engine, siteId, collection)).id;
  const userIds = users === null ? await allIds(context, siteId) : await listedIds(context, siteId, users);
  const counts: Counts = { users: 0, rows: 0, withoutPermissions: 0 };
  const people = eachPerson(context, { siteId, userIds, collectionId }, counts);
  try {
    if (save !== null) await saveCsv(save, tableOf(people));
    else if (output.json) await printRecords(context, people);
    else await printCsv(context, people);
  } catch (error) {
    const code = interruption.exitCode();
    if (code === null) throw error;
    output.note('The report isn’t complete.');
    return code;
  }
  output.record({ report: { ...counts, unreadable: skipped } });
  if (save !== null) output.note(`Saved as ${save.path}.`);
  for (const text of countTexts(counts, skipped)) output.note(text);
  return skipped === 0 ? EXIT.complete : EXIT.incomplete;
}

function countTexts({ users, rows, withoutPermissions }: Counts, skipped: number): string[] {
  const without = `${counted(withoutPermissions, 'user')} ${withoutPermissions === 1 ? 'has' : 'have'} no permissions`;
  return [
    `${counted(users, 'user')}, ${counted(rows, 'row')}.`,
    ...(withoutPermissions === 0 ? [] : [`${without} and ${withoutPermissions === 1 ? 'is' : 'are'} not listed.`]),
    ...(skipped === 0
      ? []
      : [`${counted(skipped, 'entry', 'entries')} of the library can’t be read. The report lacks them.`]),
  ];
}

/** Yields the users with at least one permission, a part of them at a time. Throws when the user interrupts it. */
async function* eachPerson(
  context: EngineContext,
  { siteId, userIds, collectionId }: { siteId: string; userIds: readonly string[]; collectionId: string | null },
  counts: Counts,
): AsyncGenerator<ReportPerson> {
  const { engine, interruption } = context;
  const progress = new Progress(context);
  try {
    for (let at = 0; at < userIds.length; at += MAX_REPORT_USERS) {
      interruption.signal.throwIfAborted();
      progress.show(`Users: ${at} of ${userIds.length}.`);
      const part = userIds.slice(at, at + MAX_REPORT_USERS);
      const { people } = await engine.call('access.report', { siteId, userIds: part, collectionId });
      // The rows may appear on the same terminal.
      progress.end();
      for (const person of people) {
        const rows = person.isAdmin ? 1 : person.places.length;
        if (rows === 0) {
          counts.withoutPermissions += 1;
          continue;
        }
        counts.users += 1;
        counts.rows += rows;
        yield person;
      }
    }
  } finally {
    progress.end();
  }
}

async function* tableOf(people: AsyncIterable<ReportPerson>): AsyncGenerator<readonly string[]> {
  yield REPORT_COLUMNS;
  for await (const person of people) yield* reportRows(person);
}

async function printCsv({ output }: EngineContext, people: AsyncIterable<ReportPerson>): Promise<void> {
  for await (const text of csvTexts(tableOf(people))) {
    output.document(text);
    await output.whenReady();
  }
}

async function printRecords({ output }: EngineContext, people: AsyncIterable<ReportPerson>): Promise<void> {
  for await (const person of people) {
    for (const access of reportRecords(person)) output.record({ access });
    await output.whenReady();
  }
}

async function allIds({ engine }: EngineContext, siteId: string): Promise<readonly string[]> {
  const all = { text: '', facet: 'all', groupId: null, lastLoginBefore: null } as const;
  const query = { siteId, ...all, sort: 'name', descending: false } as const;
  return (await engine.call('admin.peopleIds', { query })).ids;
}

async function listedIds({ engine }: EngineContext, siteId: string, users: string): Promise<readonly string[]> {
  return (await findListedPeople(engine, siteId, users)).map(({ id }) => id);
}
