import { describe, expect, it } from 'vitest';
import { rulesProblems } from '../../../../shared/model/watch/rules-problems.ts';
import { sampleRules } from '../../../helpers/data/watch-samples.ts';

const upload = { kind: 'upload' } as const;

describe('the problems of rules', () => {
  it('are none when every glob and title can be used', () => {
    const rules = [{ id: 'a', conditions: { include: ['*.mp4'], exclude: ['x*'] }, action: upload }];
    expect(rulesProblems(sampleRules({ rules, settings: { titleTemplate: '{day} {clean}' } }))).toEqual([]);
  });

  it('name the rule, the list and the glob', () => {
    const rules = [{ id: 'a', conditions: { include: ['{a'], exclude: ['a\\b'] }, action: upload }];
    expect(rulesProblems(sampleRules({ rules, conditions: { exclude: ['['] } }))).toEqual([
      { ruleId: 'a', kind: 'glob', list: 'include', glob: '{a', problem: 'brace' },
      { ruleId: 'a', kind: 'glob', list: 'exclude', glob: 'a\\b', problem: 'backslash' },
      { ruleId: 'defaults', kind: 'glob', list: 'exclude', glob: '[', problem: 'bracket' },
    ]);
  });

  it('name the rule whose title template has an unknown token', () => {
    const rules = [{ id: 'a', action: { kind: 'upload', settings: { titleTemplate: '{nme}' } } as const }];
    expect(rulesProblems(sampleRules({ rules, settings: { titleTemplate: '{' } }))).toMatchObject([
      { ruleId: 'a', kind: 'title', sentence: expect.stringContaining('{nme}') },
      { ruleId: 'defaults', kind: 'title' },
    ]);
  });

  it('include two rules with one id, and a rule with the id of the defaults', () => {
    const rules = ['a', 'a', 'defaults'].map((id) => ({ id, action: upload }));
    expect(rulesProblems(sampleRules({ rules }))).toEqual([
      { ruleId: 'a', kind: 'same-id' },
      { ruleId: 'defaults', kind: 'same-id' },
    ]);
  });

  it('include a rule that excludes all that it includes', () => {
    const rules = [{ id: 'a', conditions: { include: ['*.mp4'], exclude: ['*.mp4'] }, action: upload }];
    expect(rulesProblems(sampleRules({ rules }))).toEqual([{ ruleId: 'a', kind: 'takes-nothing', glob: '*.mp4' }]);
  });
});
