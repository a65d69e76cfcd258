import { describe, expect, it } from 'vitest';
import { applyRules } from '../../../../shared/model/watch/apply-rules.ts';
import { previewFolder } from '../../../../shared/model/watch/preview-folder.ts';
import { rulesProblems } from '../../../../shared/model/watch/rules-problems.ts';
import { comparePreviews, compareRules, treesOf } from '../../../helpers/data/watch-preview-checks.ts';
import { SAMPLE_NOW } from '../../../helpers/data/watch-samples.ts';

describe('1,000 random trees and rules', () => {
  it('have a preview that equals the decision about each file from the stored rules and the files of its folder', () => {
    const { different, upload, wait, skip } = comparePreviews(1, 1000);
    expect(different).toEqual([]);
    // The random trees reach every outcome.
    expect(Math.min(upload, wait, skip)).toBeGreaterThan(30);
  });

  it('are decided as by a second implementation, which follows the description of the rules step by step', () => {
    const { different, files } = compareRules(2, 1000);
    expect(different).toEqual([]);
    expect(files).toBeGreaterThan(10_000);
  });

  it('change after a wait to an upload by the same rule, at the named time and not before', () => {
    let waits = 0;
    for (const { rules, files } of treesOf(3, 500)) {
      for (const facts of files) {
        const outcome = applyRules(rules, facts, SAMPLE_NOW);
        if (outcome.kind !== 'wait' || outcome.untilMs === null) continue;
        waits += 1;
        const { untilMs, ruleId } = outcome;
        expect(untilMs).toBeGreaterThan(SAMPLE_NOW);
        expect(applyRules(rules, facts, untilMs - 1)).toMatchObject({ kind: 'wait', ruleId, untilMs });
        expect(applyRules(rules, facts, untilMs)).toMatchObject({ kind: 'upload', ruleId });
      }
    }
    expect(waits).toBeGreaterThan(50);
  });

  it('have a preview that counts every file and byte once, and names the rules that did not match in their order', () => {
    for (const { rules, files } of treesOf(4, 500)) {
      expect(rulesProblems(rules).filter(({ kind }) => kind !== 'takes-nothing')).toEqual([]);
      const { totals, files: listed } = previewFolder(rules, files, SAMPLE_NOW);
      const { upload, wait, skip } = totals;
      expect(upload.files + wait.files + skip.files).toBe(files.length);
      expect(upload.bytes + wait.bytes + skip.bytes).toBe(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      const order = rules.rules.filter(({ enabled }) => enabled).map(({ id }) => id);
      for (const { outcome } of listed) {
        const passed = outcome.passed.map(({ ruleId }) => ruleId);
        const until = order.indexOf(outcome.ruleId ?? '');
        if (outcome.ruleId !== null) expect(passed).toEqual(until < 0 ? order : order.slice(0, until));
        else expect(passed).toEqual([]);
      }
    }
  });
});
