import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmailAddress } from '../../../shared/model/email-address.ts';
import { nameListText, readNameList } from '../../../shared/model/name-list.ts';

describe('a list of names', () => {
  it.each([
    ['Crew, Night', ['Crew', 'Night']],
    [' Crew ,, Night , ', ['Crew', 'Night']],
    ['"Sound, light", Crew', ['Sound, light', 'Crew']],
    ['Crew,"Sound ""live"", light" ', ['Crew', 'Sound "live", light']],
    ['5" discs, 3" discs', ['5" discs', '3" discs']],
    ['""', []],
    ['', []],
  ])('%s names %j', (list, names) => {
    expect(readNameList(list, ',')).toEqual(names);
  });

  it.each(['"Sound, light', 'Crew, "Sound" light', '"'])('%s is no list', (list) => {
    expect(readNameList(list, ',')).toBeNull();
  });

  it('that is written is read as the same names', () => {
    const name = fc
      .string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', 'é', '‮'), minLength: 1, maxLength: 8 })
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.constantFrom<',' | ';'>(',', ';'), (names, separator) => {
        expect(readNameList(nameListText(names, separator), separator)).toEqual(names);
      }),
    );
  });
});

describe('an e-mail address', () => {
  it.each([
    ['ada@x.example', true],
    ['a+b@localhost', true],
    ['ünï@bücher.example', true],
    ...(['', '@', 'ada', 'ada@', '@x.example', 'a@b@c', 'a b@x.example', 'a@x.example\u0000'] as const).map(
      (text) => [text, false] as const,
    ),
    [`${'a'.repeat(250)}@x.example`, false],
  ] as const)('%j: %s', (text, isOne) => {
    expect(isEmailAddress(text)).toBe(isOne);
  });
});
