import { describe, expect, it } from 'vitest';
import { defineTexts, plural } from '../../../../../renderer/kit/text/define-texts.ts';

describe('texts of the screens', () => {
  it('come from the catalog of the current language', () => {
    expect(defineTexts({ en: { title: 'Uploads' } }).title).toBe('Uploads');
  });

  it('use the singular or plural form for a count, and group its digits', () => {
    const forms = { one: '# upload needs your decision', other: '# uploads need your decision' };
    expect(plural(1, forms)).toBe('1 upload needs your decision');
    expect(plural(0, forms)).toBe('0 uploads need your decision');
    expect(plural(1204, forms)).toBe('1,204 uploads need your decision');
  });
});
