import { describe, expect, it } from 'vitest';
import { passedTexts, shortVerdictText, verdictText } from '../../../../../renderer/features/watched/clause-text.ts';
import {
  countsText,
  folderLook,
  readyText,
  reasonText,
  sweepText,
} from '../../../../../renderer/features/watched/folder-text.ts';
import {
  amountText,
  readAmount,
  SIZE_UNITS,
  TIME_UNITS,
  unitOf,
} from '../../../../../renderer/features/watched/rules/amount.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { WatchVerdict } from '../../../../../shared/contract/watch.ts';
import { watchedFolder } from '../../../../helpers/data/watched-folders.ts';

const verdict = (change: Partial<WatchVerdict>): WatchVerdict => ({
  kind: 'skip',
  ruleId: 'r1',
  ruleName: 'Lectures',
  clause: { kind: 'not-included' },
  passed: [],
  ...change,
});

describe('a decision in words', () => {
  it('names the rule and the condition that decided', () => {
    expect(verdictText(verdict({ clause: { kind: 'min-size', minSizeBytes: 5_000_000 } }))).toBe(
      'Rule “Lectures” skips it: the file is smaller than 5 MB.',
    );
    expect(verdictText(verdict({ kind: 'wait', clause: { kind: 'min-age', minAgeMs: 600_000 } }))).toBe(
      'Rule “Lectures” waits: the file has been unchanged for less than 10 min.',
    );
    expect(verdictText(verdict({ kind: 'upload', clause: { kind: 'include', glob: '*.mp4' } }))).toBe(
      'Rule “Lectures” uploads it: the name matches *.mp4.',
    );
  });

  it('calls the last rule “All other files”, and a rule that no longer exists a deleted rule', () => {
    const clause = { kind: 'include', glob: null } as const;
    expect(shortVerdictText(verdict({ ruleId: 'defaults', ruleName: null, clause }))).toBe(
      'All other files: it takes every name',
    );
    expect(verdictText(verdict({ ruleName: null }))).toContain('“a deleted rule”');
  });

  it('names no rule for a decision that precedes the rules, and for captions that go along with a recording', () => {
    const ignored = { kind: 'ignored', reason: 'partial', name: 'take 1.mp4.part' } as const;
    expect(verdictText(verdict({ ruleId: null, ruleName: null, clause: ignored }))).toBe(
      '“take 1.mp4.part” is the name of a file that a program is still writing.',
    );
    const attached = { kind: 'attached', recording: 'a/talk.mp4' } as const;
    expect(verdictText(verdict({ clause: attached }))).toBe('It goes along with a/talk.mp4.');
  });

  it('states why each earlier rule did not match', () => {
    const passed = [{ ruleId: 'r0', clause: { kind: 'exclude', glob: 'raw/**' } } as const];
    expect(passedTexts(verdict({ passed }), [{ id: 'r0', name: 'Final cuts' }])).toEqual([
      'Rule “Final cuts” doesn’t apply: the name matches the exception raw/**.',
    ]);
  });
});

describe('a folder in words', () => {
  it('shows “Sweeping” instead of the state, unless the folder is paused', () => {
    expect(folderLook({ state: 'sweep-only', isSweeping: false, notice: null }).word).toBe('Sweeps only');
    expect(folderLook({ state: 'watching', isSweeping: true, notice: null }).word).toBe('Sweeping');
    expect(folderLook({ state: 'paused', isSweeping: true, notice: null }).word).toBe('Paused');
  });

  it('marks a folder without events when the user can change that, and not on a network drive', () => {
    const look = (code: 'watch.events-limit' | 'watch.network-drive') =>
      folderLook({ state: 'sweep-only', isSweeping: false, notice: appError(code).toData() });
    expect(look('watch.events-limit')).toMatchObject({ word: 'Sweeps only', icon: 'warning', tone: 'waiting' });
    expect(look('watch.network-drive')).toMatchObject({ word: 'Sweeps only', icon: 'scheduled', tone: 'good' });
  });

  it('lists the counts that are not zero, incomplete recordings first', () => {
    expect(countsText(watchedFolder())).toBe('No files yet');
    const counts = { settling: 1, waiting: 2, done: 1204, incomplete: 1, attached: 9 };
    expect(countsText(watchedFolder({ counts }))).toBe('1 incomplete · 3 settling · 1,204 uploaded');
    expect(countsText(watchedFolder({ counts: { done: 412, refused: 1 }, unsent: 400 }))).toBe(
      '12 uploaded · 401 skipped',
    );
  });

  it('states when the last sweep ran and when the next one is due', () => {
    const now = new Date(2026, 10, 22, 14, 10).getTime();
    const lastSweepAt = new Date(2026, 10, 22, 14, 2).getTime();
    const at = (nextSweepAt: number | null, isSweeping = false) =>
      sweepText({ lastSweepAt, nextSweepAt, isSweeping }, now);
    expect(at(now + 240_000)).toMatch(/^Last sweep .*2.* · next in 4 min$/);
    expect(at(now - 1)).toMatch(/ · next any moment$/);
    expect(at(now, true)).toMatch(/ · sweeping now$/);
    expect(sweepText({ lastSweepAt: null, nextSweepAt: null, isSweeping: false }, now)).toBe('Not swept yet');
  });
});

describe('a file in words', () => {
  it('shows the reason of the engine with its next step, else the decision of the rules', () => {
    const reason = { code: 'x', message: 'It is empty.', nextStep: 'Wait.', details: null };
    expect(reasonText({ reason, verdict: verdict({}) })).toBe('It is empty. Wait.');
    expect(reasonText({ reason: null, verdict: verdict({}) })).toContain('Rule “Lectures”');
    expect(reasonText({ reason: null, verdict: null })).toBe('');
  });

  it('counts down to the moment at which the file is ready', () => {
    expect(readyText({ readyAt: 12_000 }, 0)).toBe('Ready in 12 s.');
    expect(readyText({ readyAt: 12_000 }, 12_000)).toBe('Checking it now.');
    expect(readyText({ readyAt: null }, 0)).toBeNull();
  });
});

describe('a field for an amount with a unit', () => {
  const [minutes, hours] = TIME_UNITS;
  const [kilobytes, megabytes] = SIZE_UNITS;
  if (!minutes || !hours || !kilobytes || !megabytes) throw new Error('There are no units.');

  it('accepts a decimal point or a comma, reads an empty text as 0, and refuses other text', () => {
    expect(readAmount('1.5', megabytes)).toBe(1_500_000);
    expect(readAmount(' 1,5 ', megabytes)).toBe(1_500_000);
    expect(readAmount('', megabytes)).toBe(0);
    for (const text of ['-1', '1e3', 'ten', '1.2.3', '0x10', '.']) expect(readAmount(text, megabytes)).toBeNull();
  });

  it('shows a value in the largest unit in which it is whole, and reads it back', () => {
    expect(unitOf(7_200_000, TIME_UNITS, minutes)).toBe(hours);
    expect(unitOf(5_400_000, TIME_UNITS, hours)).toBe(minutes);
    expect(unitOf(0, TIME_UNITS, hours)).toBe(hours);
    expect(unitOf(1234, SIZE_UNITS, megabytes)).toBe(kilobytes);
    for (const value of [0, 1000, 1500, 2_000_000]) {
      const unit = unitOf(value, SIZE_UNITS, megabytes);
      expect(readAmount(amountText(value, unit), unit)).toBe(value);
    }
  });
});
