import { describe, expect, it } from 'vitest';
import { FailureReader } from '../../../build/failed-tests.ts';

const ruler = '⎯'.repeat(40);

function read(...lines: string[]) {
  const reader = new FailureReader();
  for (const line of lines) reader.read(line);
  return reader.failures;
}

describe('the failures in the output of vitest', () => {
  it('have the message and the line of the test', () => {
    const failures = read(
      `${'⎯'.repeat(7)} Failed Tests 2 ${'⎯'.repeat(7)}`,
      '',
      '\u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m test/a.test.ts > b',
      '\u001b[31m\u001b[1mAssertionError\u001b[22m: expected 1 to be 2 // Object.is equality\u001b[39m',
      '',
      ' ❯ expectOne node_modules/library/index.js:1:2',
      ' ❯ test/a.test.ts:3:27',
      "      1| import { it, expect } from 'vitest';",
      '       |                           ^',
      `${ruler}[1/2]⎯`,
      ' FAIL  test/c.test.ts > d',
      'Error: Test timed out in 5000ms.',
    );
    expect(failures).toEqual([
      {
        title: 'FAIL test/a.test.ts > b',
        details: ['AssertionError: expected 1 to be 2 // Object.is equality', '❯ test/a.test.ts:3:27'],
      },
      { title: 'FAIL test/c.test.ts > d', details: ['Error: Test timed out in 5000ms.'] },
    ]);
  });

  it('have the same message when they failed with the same error, and are named once', () => {
    const failures = read(' FAIL  a > one', ' FAIL  a > two', 'Error: x', ' FAIL  a > one', 'Error: y');
    expect(failures).toEqual([
      { title: 'FAIL a > one', details: ['Error: x'] },
      { title: 'FAIL a > two', details: ['Error: x'] },
    ]);
  });

  it('include errors outside of tests, with their message and their source', () => {
    const failures = read(
      ' FAIL  a > one',
      'Error: x',
      'Vitest caught 1 unhandled error during the test run.',
      '',
      '⎯⎯⎯⎯⎯⎯ Uncaught Exception ⎯⎯⎯⎯⎯⎯',
      'Error: later',
      ' ❯ Timeout._onTimeout test/a.test.ts:2:48',
      ' ❯ listOnTimeout node:internal/timers:685:17',
      'This error originated in "test/a.test.ts" test file.',
      ruler,
    );
    expect(failures[1]).toEqual({
      title: 'Vitest caught 1 unhandled error during the test run.',
      details: [
        '⎯⎯⎯⎯⎯⎯ Uncaught Exception ⎯⎯⎯⎯⎯⎯',
        'Error: later',
        '❯ Timeout._onTimeout test/a.test.ts:2:48',
        'This error originated in "test/a.test.ts" test file.',
      ],
    });
    expect(failures).toHaveLength(2);
  });

  it('include failed checks, with their lines as far as the next check', () => {
    const failures = read(
      'ok     types (3.9 s)',
      'FAILED layers (2 s)',
      'a.ts imports b.ts',
      'ok     texts (1 s)',
      'texts: 3',
    );
    expect(failures).toEqual([{ title: 'FAILED layers (2 s)', details: ['a.ts imports b.ts'] }]);
  });

  it('keep at most 25 lines of a long message', () => {
    const [failure] = read('Vitest caught 1 unhandled error', ...Array.from({ length: 500 }, (_, n) => `line ${n}`));
    expect(failure?.details).toHaveLength(25);
  });
});
