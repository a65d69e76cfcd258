import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  qualifiersFor,
  typedPart,
  valuesFor,
  withCompletion,
} from '../../../../shared/model/library-query/complete-query.ts';
import { QUALIFIERS } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';

/** The part before `|`. */
function partAt(text: string) {
  const caret = text.indexOf('|');
  return typedPart(text.replace('|', ''), caret);
}

/** What is offered without the library, and the search after the first offer is chosen. */
function offersAt(text: string) {
  const part = partAt(text);
  if (part === null) return null;
  const offers = part.qualifier === null ? qualifiersFor(part) : valuesFor(part);
  const [first] = offers ?? [];
  if (first === undefined) return { offers };
  const after = withCompletion(text.replace('|', ''), part, first);
  return { offers, after: `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}` };
}

describe('the completion of a search', () => {
  it.each([
    ['ta|', ['tag'], 'tag:|'],
    ['river -ta|', ['tag'], 'river -tag:|'],
    ['(river OR dur|', ['duration'], '(river OR duration:|'],
    ['leng|', ['duration'], 'duration:|'],
    ['type:v|', ['video'], 'type:video |'],
    ['type:v| tag:x', ['video'], 'type:video |tag:x'],
    ['publish:next-w|', ['next-week'], 'publish:next-week |'],
    ['created:>last-m|', ['last-month'], 'created:>last-month |'],
    ['created:last-month..tod|', ['today'], 'created:last-month..today |'],
    ['is:dr|', ['draft'], 'is:draft |'],
    ['no:cap|', ['captions'], 'no:captions |'],
    ['tag:"say \\"h\\"" dura|', ['duration'], 'tag:"say \\"h\\"" duration:|'],
  ])('offers at %s what may follow', (text, offers, after) => {
    expect(offersAt(text)).toEqual({ offers, after });
  });

  it.each(['t|', '|', 'river |', '"ta|', 'colour:r|', 'tag:"a" |'])('offers nothing at %s', (text) => {
    expect(offersAt(text)?.offers ?? []).toEqual([]);
  });

  it('asks the library for tags, collections and bylines, also in quotes', () => {
    expect(offersAt('tag:ph|')?.offers).toBeNull();
    const part = partAt('tag:"two w|');
    expect(part?.prefix).toBe('two w');
    if (part !== null) expect(withCompletion('tag:"two w', part, 'two words').text).toBe('tag:"two words" ');
  });

  it('inserts a value that is read as this value', () => {
    const values = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => /^[^\s"-]/.test(text));
    fc.assert(
      fc.property(values, fc.constantFrom('', '(a OR ', '-'), (value, before) => {
        const text = `${before}tag:`;
        const part = typedPart(text, text.length);
        const after = part === null ? '' : withCompletion(text, part, value).text;
        const found = JSON.stringify(parseQuery(after).query);
        expect(found).toContain(JSON.stringify(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('offers only qualifiers that exist', () => {
    for (const name of QUALIFIERS.filter((each) => each !== 'related')) {
      expect(qualifiersFor({ qualifier: null, prefix: name, start: 0, end: name.length })).toContain(name);
    }
  });

  it.each(['a', '"', '(', 'tag:', '-'])('takes linear time for repetitions of %s', (piece) => {
    const read = (text: string) => typedPart(text, text.length);
    expect(steepGrowth(read, (chars) => piece.repeat(chars / piece.length))).toBeNull();
  });
});
