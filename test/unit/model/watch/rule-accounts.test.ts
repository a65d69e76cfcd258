import { describe, expect, it } from 'vitest';
import { watchRulesSchema } from '../../../../shared/contract/watch-rules.ts';
import { accountsOf } from '../../../../shared/model/watch/rule-accounts.ts';

const collection = { kind: 'fixed', collection: { kind: 'ref', ref: 'library' } };
const upload = (siteId: string | null, enabled = true) => ({
  id: `${siteId}`,
  name: `to ${siteId}`,
  enabled,
  action: { kind: 'upload', settings: siteId === null ? {} : { siteId } },
});

describe('the accounts of a watched folder', () => {
  it('are those of its defaults and of each enabled rule that uploads, each once', () => {
    const rules = watchRulesSchema.parse({
      rules: [
        upload('b'),
        upload(null),
        upload('off', false),
        { id: 's', name: 's', action: { kind: 'skip' } },
        upload('b'),
      ],
      defaults: { settings: { siteId: 'a', collection } },
    });
    expect([...accountsOf(rules)]).toEqual(['a', 'b']);
  });
});
