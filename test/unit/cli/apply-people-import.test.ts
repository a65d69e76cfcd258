import { describe, expect, it } from 'vitest';
import { applyPeopleImport } from '../../../electron/cli/admin/apply-people-import.ts';
import { groupDeletionText } from '../../../electron/cli/commands/admin/groups.ts';
import { copiedText } from '../../../electron/cli/commands/admin/members.ts';
import { importSummary } from '../../../electron/cli/commands/admin/users-import.ts';
import { createAdminJobs } from '../../../electron/engine/admin/jobs/admin-jobs.ts';
import { JobStore } from '../../../electron/engine/admin/jobs/job-store.ts';
import { peopleImportHandlers } from '../../../electron/engine/admin/people-import-handlers.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { PeopleImport, PlannedCreation } from '../../../shared/model/access/people-import.ts';
import { emptyDatabase } from '../../helpers/data/empty-database.ts';
import { ManualClock } from '../../helpers/time/manual-clock.ts';

const groups = [
  { id: 'g1', name: 'Interns' },
  { id: 'g2', name: 'Crew' },
];
const creation = (line: number, ...addGroups: string[]): PlannedCreation => ({
  line,
  email: `${line}@people.example`,
  addGroups,
  firstName: 'Ida',
  lastName: String(line),
  uniqueId: '',
  isAdmin: false,
});
const planOf = (...create: PlannedCreation[]): PeopleImport => ({ create, update: [], unchanged: [], skipped: [] });

/** Applies a plan with people calls that answer as `answers` say; a code: it throws this error. */
async function apply(plan: PeopleImport, answers: (call: string, input: never) => unknown) {
  const stop = new AbortController();
  const calls: string[] = [];
  const call = (name: string) => async (input: object) => {
    calls.push(name);
    if (calls.length > 20) throw new Error('Too many calls');
    const answer = answers(name, { ...input, stop } as never);
    if (typeof answer === 'string') throw appError(answer as ErrorCode);
    return answer;
  };
  const store = new JobStore(await emptyDatabase());
  const jobs = createAdminJobs({ store, clock: new ManualClock(), logger: silentLogger });
  const names = ['admin.createPerson', 'admin.changePerson', 'admin.changeGroups'];
  const people = Object.fromEntries(names.map((name) => [name, call(name)])) as never;
  const directories = { of: async () => ({ users: new Map() }) as never };
  const handlers: Record<string, (input: never) => Promise<unknown>> = {
    ...jobs.handlers,
    ...peopleImportHandlers({ directories, jobs }, people),
  };
  const engine = { call: (name: string, input: never) => handlers[name]?.(input) } as never;
  const outcome = await applyPeopleImport({ engine, interruption: stop as never }, 's', {
    plan,
    groups,
    source: 'a.csv',
  });
  const failed = outcome.failed.map(({ id, name, error }) => [id, name, error.message]);
  return { done: outcome.done, failed, calls, jobs: await jobs.handlers['admin.jobs']({ siteId: 's' }) };
}
const idOf = ({ email }: { email: string }) => ({ id: `u${email.split('@')[0]}` });

describe('an import of users', () => {
  const plan = planOf(creation(2, 'g1'), creation(3, 'g1', 'g2'), creation(4));

  it('adds the users of each group together', async () => {
    const { done, failed, calls, jobs } = await apply(plan, (name, input) =>
      name === 'admin.createPerson' ? idOf(input) : { done: [], failed: [] },
    );
    expect([done, failed]).toEqual([['u2', 'u3', 'u4'], []]);
    expect(jobs).toEqual([]);
    expect(calls.filter((name) => name === 'admin.changeGroups')).toHaveLength(2);
  });

  it('sends nothing after an error of the connection, and reports the created users as not added to their groups', async () => {
    const { done, failed, calls, jobs } = await apply(plan, (name, input) =>
      name === 'admin.createPerson' && idOf(input).id !== 'u3' ? idOf(input) : 'site.unreachable',
    );
    // What is left can be continued: two rows and two groups.
    expect(jobs).toMatchObject([{ kind: 'importPeople', subject: 'a.csv', total: 5, done: 1, failed: 0 }]);
    const { message } = appError('site.unreachable');
    expect(calls).toEqual(['admin.createPerson', 'admin.createPerson']);
    expect(done).toEqual([]);
    expect(failed).toEqual([
      ['', 'line 3, 3@people.example', message],
      ['', 'line 4, 4@people.example', message],
      ['u2', 'line 2, 2@people.example', `Not added to “Interns”: ${message}`],
    ]);
  });

  it('sends no other group after a group failed with such an error, thrown or as the reason of a user', async () => {
    const error = appError('site.unreachable').toData();
    for (const answer of ['site.unreachable', { done: ['u3'], failed: [{ id: 'u2', name: 'Ida 2', error }] }]) {
      const { done, failed, calls } = await apply(plan, (name, input) =>
        name === 'admin.createPerson' ? idOf(input) : answer,
      );
      expect(calls.filter((name) => name === 'admin.changeGroups')).toHaveLength(1);
      expect(done).toEqual(['u4']);
      expect(failed).toContainEqual(['u3', 'line 3, 3@people.example', `Not added to “Crew”: ${error.message}`]);
    }
  });

  it('goes on after an error of one user', async () => {
    const error = appError('api.forbidden').toData();
    const { done, failed } = await apply(plan, (name, input) => {
      if (name === 'admin.createPerson') return idOf(input);
      const { userIds } = input as { userIds: string[] };
      return { done: [], failed: userIds.length > 1 ? [{ id: 'u2', name: 'Ida 2', error }] : [] };
    });
    expect(done).toEqual(['u3', 'u4']);
    expect(failed).toEqual([['u2', 'line 2, 2@people.example', `Not added to “Interns”: ${error.message}`]]);
  });

  it('reports the users that an interruption left without their groups', async () => {
    const { done, failed, calls } = await apply(plan, (_name, input) => {
      const { email, stop } = input as { email: string; stop: AbortController };
      if (email.startsWith('3')) stop.abort();
      return idOf(input);
    });
    expect(calls).toEqual(['admin.createPerson', 'admin.createPerson']);
    expect(done).toEqual([]);
    expect(failed).toEqual([
      ['u2', 'line 2, 2@people.example', 'Not added to “Interns”: The command was stopped before this change.'],
      ['u3', 'line 3, 3@people.example', 'Not added to “Interns”: The command was stopped before this change.'],
      ['u3', 'line 3, 3@people.example', 'Not added to “Crew”: The command was stopped before this change.'],
    ]);
  });
});

describe('the sentences of administrative commands', () => {
  it('are right for one and for several', () => {
    const plan = planOf(creation(2));
    expect(importSummary(1, plan)).toBe('1 row: 1 creates a user, 0 change one, 0 change nothing, 0 are skipped.');
    const skipped = [{ line: 4, reason: 'no address' }];
    expect(importSummary(3, { ...planOf(creation(2), creation(3)), skipped })).toBe(
      '3 rows: 2 create a user, 0 change one, 0 change nothing, 1 is skipped.',
    );
    expect(groupDeletionText([{ memberships: 1 }, { memberships: 0 }])).toBe(
      'The users stay in the library. 1 role in a collection is removed.',
    );
    expect(groupDeletionText([{ memberships: 2 }, { memberships: 1 }])).toBe(
      'The users stay in the library. 3 roles in collections are removed.',
    );
    expect(copiedText(1)).toBe('1 inherited role became an own role.');
    expect(copiedText(2)).toBe('2 inherited roles became own roles.');
  });
});
