import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addOwn,
  changeConditions,
  changeOwn,
  changeRule,
  draftProblems,
  dropOwn,
  insertRule,
  mappingTargetOf,
  moveRule,
  newRule,
  newRules,
  noMapping,
  OWN_SETTINGS,
  ownSettings,
  previewable,
  removeRule,
  type WatchRule,
  withAction,
  withMappingKind,
  withTarget,
} from '../../../../../../renderer/features/watched/state/rules-draft.ts';
import { type WatchRules, watchRulesSchema } from '../../../../../../shared/contract/watch-rules.ts';
import { DEFAULT_RULE_ID } from '../../../../../../shared/model/watch/apply-rules.ts';
import { plainRules } from '../../../../../helpers/data/watched-folders.ts';

const OPTICS = { kind: 'id', id: 'c1', name: 'Optics' } as const;
const withRules = (...ids: string[]): WatchRules => ({ ...plainRules(), rules: ids.map((id) => newRule(id, id)) });
const orderOf = ({ rules }: WatchRules) => rules.map(({ id }) => id).join('');
const ruleOf = (rules: WatchRules, id: string) => rules.rules.find((rule) => rule.id === id) as WatchRule;

describe('the order of rules', () => {
  it('inserts a rule before the selected rule, also when that is the rule for all other files', () => {
    expect(orderOf(insertRule(withRules('a', 'b'), newRule('x', 'x'), 'b'))).toBe('axb');
    expect(orderOf(insertRule(withRules('a', 'b'), newRule('x', 'x'), DEFAULT_RULE_ID))).toBe('abx');
  });

  it('moves a rule by one place, but not past the ends, and never the rule for all other files', () => {
    const rules = withRules('a', 'b', 'c');
    expect(orderOf(moveRule(rules, 'b', -1))).toBe('bac');
    expect(orderOf(moveRule(rules, 'b', 1))).toBe('acb');
    expect(moveRule(rules, 'a', -1)).toBe(rules);
    expect(moveRule(rules, 'c', 1)).toBe(rules);
    expect(moveRule(rules, DEFAULT_RULE_ID, -1)).toBe(rules);
  });

  it('keeps every rule exactly once through any moves', () => {
    const move = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'none'), by: fc.integer({ min: -5, max: 5 }) });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const end = moves.reduce((rules, { id, by }) => moveRule(rules, id, by), withRules('a', 'b', 'c', 'd'));
        expect([...orderOf(end)].sort().join('')).toBe('abcd');
      }),
    );
  });

  it('removes only the named rule', () => {
    expect(orderOf(removeRule(withRules('a', 'b', 'c'), 'b'))).toBe('ac');
    expect(orderOf(removeRule(withRules('a'), DEFAULT_RULE_ID))).toBe('a');
  });
});

describe('a rule of a watched folder', () => {
  it('starts a setting of its own with the value of the folder, and uses the folder’s again when it is dropped', () => {
    const rules = { ...plainRules({ tags: ['lecture'] }), rules: [newRule('a', 'a')] };
    const own = addOwn(rules, 'a', 'tags');
    expect(ownSettings(ruleOf(own, 'a'))).toEqual(['tags']);
    expect(ruleOf(own, 'a').action).toEqual({ kind: 'upload', settings: { tags: ['lecture'] } });
    expect(dropOwn(own, 'a', 'tags')).toEqual(rules);
  });

  it('drops the account together with the collection, because a collection belongs to one library', () => {
    const own = changeOwn(addOwn(withRules('a'), 'a', 'collection'), 'a', { siteId: 'other', collection: noMapping() });
    expect(ruleOf(dropOwn(own, 'a', 'collection'), 'a').action).toEqual({ kind: 'upload', settings: {} });
  });

  it('has no settings of its own after a switch to skipping, and none after a switch back', () => {
    const own = addOwn(withRules('a'), 'a', 'titleTemplate');
    const skipping = changeRule(own, 'a', (rule) => withAction(rule, 'skip'));
    expect(ownSettings(ruleOf(skipping, 'a'))).toEqual([]);
    expect(
      ruleOf(
        changeRule(skipping, 'a', (rule) => withAction(rule, 'upload')),
        'a',
      ).action,
    ).toEqual({
      kind: 'upload',
      settings: {},
    });
  });

  it('stays valid for the contract with each setting changed', () => {
    const all = OWN_SETTINGS.reduce((rules, key) => addOwn(rules, 'a', key), withRules('a'));
    expect(watchRulesSchema.safeParse(all).success).toBe(true);
    expect(ownSettings(ruleOf(all, 'a'))).toEqual([...OWN_SETTINGS]);
  });
});

describe('the collection of files', () => {
  it('stays the same when sub-folders get their own collections, and when this is turned off again', () => {
    const fixed = { kind: 'fixed', collection: OPTICS } as const;
    const byFolder = withMappingKind(fixed, 'by-folder');
    expect(byFolder).toEqual({ kind: 'by-folder', parent: OPTICS, levels: 'first', create: true });
    expect(mappingTargetOf(byFolder)).toEqual(OPTICS);
    expect(withMappingKind(byFolder, 'fixed')).toEqual(fixed);
    expect(mappingTargetOf(withTarget(byFolder, { kind: 'id', id: 'c2', name: 'Waves' }))).toMatchObject({ id: 'c2' });
  });
});

describe('the check of a draft', () => {
  it('names each missing choice in a new folder', () => {
    expect(draftProblems(newRules('s', null), false).map(({ kind }) => kind)).toEqual([
      'no-existing-choice',
      'no-collection',
    ]);
    expect(draftProblems(newRules('s', OPTICS), true)).toEqual([]);
  });

  it('reports each problem with its rule, the rules in their order and all other files last', () => {
    let rules = insertRule(newRules('s', null), newRule('a', ' '), DEFAULT_RULE_ID);
    rules = changeConditions(rules, 'a', { include: ['[x'] });
    rules = changeOwn(rules, 'a', { source: { kind: 'move', folder: '' } });
    expect(draftProblems(rules, true).map(({ ruleId, kind }) => `${ruleId} ${kind}`)).toEqual([
      'a no-name',
      'a glob',
      'a no-folder',
      'defaults no-collection',
    ]);
  });

  it('finds no missing collection in a rule that uses the collection of the folder', () => {
    expect(draftProblems(insertRule(newRules('s', OPTICS), newRule('a', 'a'), DEFAULT_RULE_ID), true)).toEqual([]);
  });
});

describe('rules for the preview', () => {
  it('are valid for the contract while names, collections and folders are missing', () => {
    let rules = insertRule(newRules('s', null), newRule('a', ''), DEFAULT_RULE_ID);
    rules = changeOwn(rules, 'a', { collection: noMapping(), source: { kind: 'move', folder: '' } });
    expect(watchRulesSchema.safeParse(rules).success).toBe(false);
    const shown = previewable(rules, 'no collection yet');
    expect(watchRulesSchema.safeParse(shown).success).toBe(true);
    expect(mappingTargetOf(shown.defaults.settings.collection)).toMatchObject({ name: 'no collection yet' });
  });

  it('are the same rules when nothing is missing', () => {
    const rules = insertRule(newRules('s', OPTICS), newRule('a', 'a'), DEFAULT_RULE_ID);
    expect(previewable(rules, '?')).toEqual(rules);
  });
});
