import { describe, expect, it } from 'vitest';
import { comparePreviews, compareRules } from '../../helpers/data/watch-preview-checks.ts';

// The unit test of the same name runs 1,000 with other seeds.
describe('10,000 random trees and rules', () => {
  it('have a preview that equals what the watched folder does', () => {
    const { different, upload, wait, skip } = comparePreviews(11, 10_000);
    expect(different).toEqual([]);
    expect(Math.min(upload, wait, skip)).toBeGreaterThan(300);
  });

  it('are decided according to the description of the rules', () => {
    const { different, files } = compareRules(12, 10_000);
    expect(different).toEqual([]);
    expect(files).toBeGreaterThan(100_000);
  });
});
