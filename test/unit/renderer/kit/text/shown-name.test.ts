import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineTexts } from '../../../../../renderer/kit/text/define-texts.ts';
import { shownName } from '../../../../../renderer/kit/text/shown-name.ts';

describe('a name among other texts', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Zoë 👩‍🎨', 'Zoë 👩‍🎨'],
    ['two\nlines', 'two\nlines'],
    ['gpj\u202e.exe', 'gpj\ufffd.exe'],
    ['a\u0000b\u001b[31m', 'a\ufffdb\ufffd[31m'],
    ['\u2066a\u2069', '\ufffda\ufffd'],
    ['a\u2069b\u2068c', 'a\ufffdb\ufffdc'],
    ['שרה', '\u2068שרה\u2069'],
    ['a\u200f', '\u2068a\u200f\u2069'],
    ['\u{10900}', '\u2068\u{10900}\u2069'],
  ])('%j is shown as %j', (name, shown) => expect(shownName(name)).toBe(shown));

  it('never ends in another direction than it began, and is shown in the same way within a longer name', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'ש',
        ' ',
        '\u202a',
        '\u202e',
        '\u202c',
        '\u2066',
        '\u2067',
        '\u2068',
        '\u2069',
        '\u200f',
      ),
    });
    fc.assert(
      fc.property(text, (name) => {
        const shown = shownName(name);
        expect(/[\u202a-\u202e\u2066\u2067]/.test(shown)).toBe(false);
        let depth = 0;
        for (const each of shown) {
          depth += each === '\u2068' ? 1 : each === '\u2069' ? -1 : 0;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
        expect(shownName(`x ${shown}`).includes(shown)).toBe(true);
      }),
    );
  });
});

it('the texts of a view neutralise the names in their values', () => {
  const texts = defineTexts({
    en: {
      plain: 'Plain',
      of: { several: (names: readonly string[], count: number) => `${names.join(', ')}: ${count}` },
    },
  });
  expect([texts.plain, texts.of.several(['\u202eevil', 'good'], 2)]).toEqual(['Plain', '\ufffdevil, good: 2']);
});
