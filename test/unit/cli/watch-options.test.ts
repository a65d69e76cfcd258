import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { readWatchRules } from '../../../electron/cli/arguments/watch-options.ts';

describe('the options of a watched folder', () => {
  it('become rules with the account, the collection and the minimum age', () => {
    const { defaults } = readWatchRules({ collection: 'library', 'min-age': '10m' }, 's', null);
    expect(defaults).toMatchObject({ settings: { siteId: 's' }, conditions: { minAgeMs: 600_000 } });
  });

  it.each([
    [{}, 'Missing option: --collection'],
    [{ collection: 'library', 'min-age': 'soon' }, 'Invalid value for --min-age: soon.'],
    [{ collection: 'library', 'create-collections': true }, 'Use --create-collections together with --by-folder.'],
  ])('are refused with a sentence: %j', (values, sentence) => {
    const read = () => readWatchRules(values, 's', null);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(sentence);
  });
});
