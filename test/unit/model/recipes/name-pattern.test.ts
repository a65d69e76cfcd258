import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildName, isReadable, patternOf, readName, tokensOf } from '../../../../shared/model/recipes/name-pattern.ts';
import { GOLDEN_NAMES } from './golden-names.ts';

function partsOf(pattern: string) {
  const read = patternOf(pattern);
  if ('problem' in read) throw new Error(read.problem);
  return read.parts;
}

/** The names of `GOLDEN_NAMES`, each with its pattern and the values to read; `expected` null: the pattern does not match. */
const GOLDEN = Object.entries(GOLDEN_NAMES).flatMap(([pattern, lines]) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', expected = ''] = line.split(' => ');
      return { pattern, name, expected: expected === '-' ? null : valuesOf(expected) };
    }),
);

function valuesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1).replace('\\s', ' ')];
    }),
  );
}

describe('the golden names', () => {
  it('are 200', () => expect(GOLDEN).toHaveLength(200));

  it.each(GOLDEN)('give the expected values or none: $name with $pattern', ({ pattern, name, expected }) => {
    expect(readName(partsOf(pattern), name)).toEqual(expected);
  });

  it('are built again from the parsed values when the pattern skips no part of the name', () => {
    for (const { pattern, name, expected } of GOLDEN) {
      if (expected === null || pattern.includes('{*}')) continue;
      expect(buildName(partsOf(pattern), expected)).toEqual({ name: name.normalize('NFC') });
      expect(isReadable(partsOf(pattern), expected)).toBe(true);
    }
  });
});

const PATTERNS = Object.keys(GOLDEN_NAMES).filter((pattern) => !pattern.includes('{*}'));
const text = fc.string({
  unit: fc.constantFrom('a', '_', ' ', '-', '.', '1', '0', '@', 'é', '(', ')'),
  minLength: 1,
  maxLength: 12,
});
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));
const values = fc.record({
  ...Object.fromEntries(
    ['title', 'byline', 'course', 'show', 'speaker', 'place', 'tag', 'code', 'total', 'lang'].map((name) => [
      name,
      text,
    ]),
  ),
  n: fc.nat(2000).map(String),
  date: day,
});

describe('reading and building', () => {
  it('are inverse to each other: the parsed values build the same name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PATTERNS), values, (pattern, given) => {
        const parts = partsOf(pattern);
        const built = buildName(parts, given as Record<string, string>);
        if ('missing' in built) return;
        const read = readName(parts, built.name);
        expect(read).not.toBeNull();
        expect(buildName(parts, read ?? {})).toEqual(built);
      }),
      { numRuns: 2000 },
    );
  });

  it('change no values that `isReadable` accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...PATTERNS), values, (pattern, given) => {
        const parts = partsOf(pattern);
        const known = given as Record<string, string>;
        if (!isReadable(parts, known)) return;
        accepted += 1;
        const built = buildName(parts, known);
        const read = 'name' in built ? readName(parts, built.name) : null;
        for (const token of tokensOf(parts)) expect(read?.[token]).toBe(known[token]);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('end for names that almost match a pattern of 42 tokens', () => {
    const parts = partsOf(
      `${'{a}_'.replace('a', 'a0')}${Array.from({ length: 40 }, (_, index) => `{b${index}}_`).join('')}{end}`,
    );
    expect(readName(parts, `${'_'.repeat(999)}.`.replaceAll('_', '.'))).toBeNull();
    expect(readName(parts, 'a_'.repeat(41))).toBeNull();
    expect(readName(parts, `${'a_'.repeat(41)}z`)).not.toBeNull();
  });
});

describe('a pattern', () => {
  it.each([
    ['', 'no token'],
    ['text', 'no token'],
    ['{title', 'partner'],
    ['title}', 'partner'],
    ['{}', 'isn’t a token'],
    ['{Title}', 'isn’t a token'],
    ['{title}{byline}', 'nothing shows'],
    ['{n}{title}', 'nothing shows'],
    ['{n}{date:YYYYMMDD}', 'nothing shows'],
    ['{title} {title}', 'twice'],
    ['{title:x}', 'takes no format'],
    ['{n:3}', 'takes no format'],
    ['{date:MM-DD}', 'isn’t a date format'],
    ['{date:YYYY-MM-DD mm}', 'isn’t a date format'],
    ['{date:YYYYYYYYMMDD}', 'isn’t a date format'],
    ['x'.repeat(501), '500 characters'],
  ])('is rejected with a specific problem when it is “%s”', (pattern, problem) => {
    const read = patternOf(pattern);
    expect('problem' in read ? read.problem : '').toContain(problem);
  });

  it('matches a name whose letters are composed differently', () => {
    expect(readName(partsOf('Übung_{title}'), 'U\u0308bung_Gro\u0308ße')).toEqual({ title: 'Größe' });
  });
});
