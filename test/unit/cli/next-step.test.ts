import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { afterCommand, type Occasion } from '../../../electron/cli/output/next-step.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

const OCCASIONS: readonly Occasion[] = ['command-ended', 'queue-left', 'upload-failed'];
/** What only the window has: labels of its buttons, and its lists. */
const WINDOW_WORDS = /“(?:Upload anyway|This is a podcast|Edit details)|\bRefresh\b|in the window|in the list of/;

const stepOf = (code: ErrorCode, occasion: Occasion) => afterCommand(appError(code).toData(), occasion).nextStep ?? '';

describe('the next step that a command prints', () => {
  it('names no part of the window', () => {
    const wrong = Object.keys(ERROR_CATALOG).flatMap((code) =>
      OCCASIONS.filter((occasion) => WINDOW_WORDS.test(stepOf(code as ErrorCode, occasion))).map(
        (occasion) => `${code}, ${occasion}: ${stepOf(code as ErrorCode, occasion)}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('names only commands that exist', () => {
    const names = COMMANDS.map(({ name }) => name);
    const steps = Object.keys(ERROR_CATALOG).flatMap((code) =>
      OCCASIONS.map((each) => stepOf(code as ErrorCode, each)),
    );
    const commands = steps.flatMap((step) => [...step.matchAll(/“mediadesk ([^”]+)”/g)].map(([, words = '']) => words));
    expect(commands.length).toBeGreaterThan(20);
    for (const words of commands) expect(names.filter((name) => `${words} `.startsWith(`${name} `))).not.toEqual([]);
  });

  it('says nothing about the connection when a server in front of the library answers', () => {
    for (const occasion of OCCASIONS) expect(stepOf('network.gateway', occasion)).not.toMatch(/online|connection/);
    expect(stepOf('network.gateway', 'queue-left')).toContain('When the library is available again');
  });

  it('for an unknown collection uses the command that chooses another one', () => {
    expect(stepOf('collection.unknown', 'upload-failed')).toContain('queue retry --batch BATCH --collection');
  });
});
