import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportRecords, reportRows } from '../../../electron/cli/admin/access-report.ts';
import type { EngineContext } from '../../../electron/cli/command-base/context.ts';
import { report } from '../../../electron/cli/commands/admin/access-report.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { Output } from '../../../electron/cli/output/output.ts';
import type { ReportPerson } from '../../../shared/contract/admin/access.ts';
import { MAX_REPORT_USERS } from '../../../shared/model/access/admin-limits.ts';

const PLACE = {
  collectionId: '7',
  path: ['Library', 'Physics'],
  permissions: ['media-read'],
  ways: [{ role: { id: '2', name: 'Viewer' }, group: null, inheritedFrom: null }],
};
const person = (id: string, more: Partial<ReportPerson> = {}): ReportPerson => ({
  id,
  name: `Person ${id}`,
  email: '',
  isAdmin: false,
  places: [PLACE],
  ...more,
});

/** A report of many users, whose engine answers in parts; `onPart`: called with the number of each part. */
function start(users: number, onPart: (part: number, stop: AbortController) => void = () => {}) {
  const stop = new AbortController();
  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 30 }), new PassThrough()];
  const parts: number[] = [];
  const answers: Record<string, (input: { userIds: string[] }) => unknown> = {
    'sites.list': () => [{ id: 's', state: 'signed-in', baseUrl: 'https://x.example', account: null }],
    'admin.read': () => ({ people: users, groups: 0, roles: 0, skipped: 0 }),
    'admin.peopleIds': () => ({ ids: Array.from({ length: users }, (_, index) => String(index)) }),
    'access.report': ({ userIds }) => {
      onPart(parts.push(userIds.length), stop);
      return { people: userIds.map((id) => person(id, Number(id) % 10 === 0 ? { places: [] } : {})) };
    },
  };
  const context = {
    engine: { call: async (name: string, input: { userIds: string[] }) => answers[name]?.(input) },
    output: new Output({ stdout, stderr }, { json: false }),
    interruption: { signal: stop.signal, exitCode: () => (stop.signal.aborted ? EXIT.interrupted : null) },
    globals: { site: null, account: null },
    screen: null,
  } as unknown as EngineContext;
  const read = () => ({ stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? ''), parts });
  return { context, read };
}

describe('a report of access', () => {
  it('asks for its users in parts, and says how many have no permissions', async () => {
    const { context, read } = start(2 * MAX_REPORT_USERS + 50);
    expect(await report(context, { collection: null, users: null, save: null })).toBe(EXIT.complete);
    const { stdout, stderr, parts } = read();
    expect(parts).toEqual([MAX_REPORT_USERS, MAX_REPORT_USERS, 50]);
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(226);
    expect(stderr).toBe('225 users, 225 rows.\n25 users have no permissions and are not listed.\n');
  });

  it('that is interrupted between two parts leaves no file, and ends with the code of the signal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-report-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'report.csv');
    const { context, read } = start(3 * MAX_REPORT_USERS, (part, stop) => part === 2 && stop.abort());
    const code = await report(context, { collection: null, users: null, save: { path, replaces: false } });
    expect({ code, ...read() }).toMatchObject({
      code: EXIT.interrupted,
      stderr: 'The report isn’t complete.\n',
      parts: [MAX_REPORT_USERS, MAX_REPORT_USERS],
    });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has one row for an administrator, and none for a user without permissions', () => {
    const admin = person('1', { isAdmin: true, places: [] });
    expect(reportRows(admin)).toEqual([['1', 'Person 1', '', '', '', 'everything', 'administrator']]);
    expect(reportRecords(admin)).toEqual([{ id: '1', name: 'Person 1', email: '', isAdmin: true }]);
    expect(reportRows(person('2', { places: [] }))).toEqual([]);
    expect(reportRows(person('3'))).toEqual([
      ['3', 'Person 3', '', '7', 'Library / Physics', 'media-read', 'Viewer, directly'],
    ]);
  });
});
