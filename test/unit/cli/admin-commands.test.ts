import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { reportOutcome } from '../../../electron/cli/admin/admin-outcome.ts';
import { refusalOfDeletion } from '../../../electron/cli/admin/confirm-deletion.ts';
import { effectLines } from '../../../electron/cli/admin/effects-text.ts';
import { printPreview } from '../../../electron/cli/admin/print-list.ts';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { askLine } from '../../../electron/cli/output/ask-line.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { Output } from '../../../electron/cli/output/output.ts';
import { askNewPassword } from '../../../electron/cli/session/new-password.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { readCommand } from '../../helpers/cli/command-line.ts';

describe('the commands for administrators', () => {
  it.each([
    'users list --facet nobody',
    'users list --not-since yesterday',
    'users list Ada',
    'users create --email a@b.example --first A',
    'users edit 1',
    'users edit 1 --administrator maybe',
    'users edit 1 2 --administrator yes',
    'users groups --add Crew',
    'users delete',
    'users picture Ada',
    'users picture Ada a.png b.png',
    'groups create',
    'groups rename Crew',
    'groups create Camera crew',
    'tags delete',
    'tags merge Optics',
    'tags merge --into Optics',
    'roles create Cutter --permissions media-cut',
    'roles edit Cutter',
    'roles edit Cutter --add no-such',
    'members set Physics --role Viewer',
    'members set Physics --role Viewer --person 1 --group 2',
    'members set Physics --person 1',
    'members inherit Physics',
    'members inherit Physics on --keep',
    'log all',
    'log --force',
    'log --csv - --force',
    'users delete ada --force',
  ])('refuse a line that is not valid: admin %s', (line) => {
    expect(() => readCommand(['admin', ...line.split(' ')])).toThrow(UsageError);
  });

  it('name the next words of a family that is not complete', () => {
    const problem = (line: string) => () => readCommand(line.split(' '));
    expect(problem('admin')).toThrow(/^Incomplete command: admin\. Use one of: users/);
    expect(problem('admin users')).toThrow(/^Incomplete command: admin users\. Use one of: list, show/);
    expect(problem('admin usres list')).toThrow(/^Unknown command: admin usres\. Did you mean admin users\?/);
    expect(problem('admin users lsit')).toThrow(/^Unknown command: admin users lsit\. Did you mean admin users list\?/);
    expect(readCommand(['help', 'admin', 'users']).command).toEqual({ kind: 'help', topic: 'admin users' });
  });
});

describe('the effects of a change', () => {
  it('are sentences with counts, names and who is concerned', () => {
    const none = { people: 0, effects: [], isPublic: false };
    expect(effectLines(none)).toEqual(['This change affects nobody’s permissions.']);
    const effect = { permission: 'media-play', gain: 3, lose: 1, gainNames: ['Ada', 'Bo'], loseNames: ['Cy'] } as const;
    const effects = [{ ...effect, gainNames: [...effect.gainNames], loseNames: [...effect.loseNames] }];
    expect(effectLines({ people: 4, effects, isPublic: true })).toEqual([
      '4 users gain or lose permissions:',
      '  media-play: 3 gain it (Ada, Bo, …); 1 loses it (Cy)',
      'Visitors without an account are affected, too.',
    ]);
  });
});

describe('a question on the terminal', () => {
  const terminal = () => ({ stdin: new PassThrough(), stderr: new PassThrough(), stop: new AbortController() });

  it('returns the typed line, and null at the end of the input or after Ctrl-C', async () => {
    const one = terminal();
    const answer = askLine('Delete \u202e3 users? ', one.stdin, one.stderr, one.stop.signal);
    one.stdin.write('yes\nmore\n');
    expect(await answer).toBe('yes');
    expect(String(one.stderr.read())).toBe('Delete \ufffd3 users? ');
    const two = terminal();
    const ended = askLine('?', two.stdin, two.stderr, two.stop.signal);
    two.stdin.end();
    expect(await ended).toBeNull();
    const three = terminal();
    const stopped = askLine('?', three.stdin, three.stderr, three.stop.signal);
    three.stop.abort();
    expect(await stopped).toBeNull();
    expect(await askLine('?', three.stdin, three.stderr, three.stop.signal)).toBeNull();
  });
});

describe('the confirmation of a deletion', () => {
  const confirm = (
    count: number,
    answer: string | null,
    { json = false, isYes = false, stop = AbortSignal.any([]) } = {},
  ) => {
    const output = new Output({ stdout: new PassThrough(), stderr: new PassThrough() }, { json });
    const exitCode = () => (stop.aborted ? EXIT.interrupted : null);
    const interruption = { signal: stop, exitCode, dispose: () => undefined };
    return refusalOfDeletion({ output, interruption }, { count, one: 'user', isYes }, async () => answer);
  };

  it('takes yes for up to 20, and only the number for more', async () => {
    expect(await confirm(20, ' Yes ')).toBeNull();
    expect(await confirm(21, 'yes')).toBe(EXIT.incomplete);
    expect(await confirm(21, '21')).toBeNull();
    expect(await confirm(21, '20')).toBe(EXIT.incomplete);
    expect(await confirm(5, '')).toBe(EXIT.incomplete);
    expect(await confirm(5, null)).toBe(EXIT.incomplete);
  });

  it('is refused after an interruption, whether with --yes or with an answer', async () => {
    const stop = AbortSignal.abort();
    expect(await confirm(1, null, { isYes: true, stop })).toBe(EXIT.interrupted);
    expect(await confirm(1, 'yes', { stop })).toBe(EXIT.interrupted);
  });

  it('asks nobody with --yes, and never with --json', async () => {
    expect(await confirm(500, null, { isYes: true })).toBeNull();
    expect(await confirm(1, 'yes', { json: true })).toBe(EXIT.incomplete);
  });
});

describe('the outcome of a change', () => {
  const report = (done: string[], failed: { id: string; name: string }[], { json = false, signalled = false } = {}) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const output = new Output({ stdout, stderr }, { json });
    const exitCode = () => (signalled ? EXIT.interrupted : null);
    const interruption = { signal: new AbortController().signal, exitCode, dispose: () => undefined };
    const error = appError('api.forbidden').toData();
    const outcome = { done, failed: failed.map((each) => ({ ...each, error })) };
    const code = reportOutcome({ output, interruption }, 'deleted', { one: 'group', outcome });
    return { code, outcome, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
  };

  it('is a line with both numbers, then each failed one, and its exit code', () => {
    expect(report(['1'], [])).toMatchObject({ code: 0, stdout: 'Deleted: 1 group.\n', stderr: '' });
    const failed = report(
      ['1', '2'],
      [
        { id: '3', name: 'Cr\u001bew' },
        { id: '4', name: '' },
      ],
    );
    expect(failed).toMatchObject({ code: 1, stdout: 'Deleted: 2 groups, 2 failed.\n' });
    expect(failed.stderr).toContain('“Cr\ufffdew”: You don’t have permission');
    expect(failed.stderr).toContain('“4”: You');
    expect(report([], [], { signalled: true }).code).toBe(EXIT.interrupted);
  });

  it('is one record for programs, and a line of JSON for each failed one', () => {
    const { outcome, stdout, stderr } = report(['1'], [{ id: '3', name: 'Crew' }], { json: true });
    expect(JSON.parse(stdout)).toEqual({ deleted: outcome });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'api.forbidden' } });
  });
});

describe('a preview', () => {
  it('has at most 100 rows, and says how many more there are', () => {
    const stdout = new PassThrough();
    const output = new Output({ stdout, stderr: new PassThrough() }, { json: false });
    printPreview(
      output,
      { ID: (id: number) => String(id) },
      Array.from({ length: 103 }, (_, id) => id),
    );
    const lines = String(stdout.read()).trimEnd().split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([102, 'ID', '… and 3 more.']);
  });
});

describe('a new password', () => {
  const typing = (...answers: string[]) => {
    const left = [...answers];
    return askNewPassword(async () => left.shift() ?? '');
  };

  it('is typed twice, and refused when it differs, is empty, or there is no terminal', async () => {
    expect(await typing('correct horse', 'correct horse')).toBe('correct horse');
    await expect(typing('correct horse', 'correct house')).rejects.toThrow(UsageError);
    await expect(typing('', '')).rejects.toThrow(UsageError);
    await expect(askNewPassword(null)).rejects.toThrow(UsageError);
  });
});
