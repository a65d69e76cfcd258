// The configuration of workers: an operator reads which field is wrong, and why.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { workersSchema } from '../../../service/site/workers-settings.ts';

test('a token that can’t be read is reported with its field, the path, and a sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'none');
  const issueOf = (value: unknown) => {
    const [issue] = workersSchema.safeParse(value).error?.issues ?? [];
    return [issue?.path, issue?.message];
  };
  expect(issueOf({ token_file: file })).toEqual([['token_file'], `There is no file ${file}.`]);
  expect(issueOf({ token_env: 'NOT_SET_HERE' })).toEqual([
    ['token_env'],
    'The environment variable NOT_SET_HERE is not set.',
  ]);
  expect(issueOf({})).toEqual([['token_env'], 'must have either token_env or token_file']);
});
