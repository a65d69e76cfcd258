import { describe, expect, it } from 'vitest';
import { compileGlob, globProblem, matchesGlob } from '../../../../shared/model/watch/glob.ts';
import { Prng } from '../../../helpers/data/prng.ts';

function matches(glob: string, path: string): boolean {
  const compiled = compileGlob(glob);
  if (typeof compiled === 'string') throw new Error(`${glob}: ${compiled}`);
  return matchesGlob(compiled, path);
}

describe('a glob', () => {
  it.each([
    ['*.mp4', 'talk.mp4', true],
    ['*.mp4', 'a/b/talk.mp4', true],
    ['*.mp4', 'TALK.MP4', true],
    ['*.MP4', 'talk.mp4', true],
    ['*.mp4', 'talk.mp4.txt', false],
    ['talk', 'talk.mp4', false],
    ['/*.mp4', 'talk.mp4', true],
    ['/*.mp4', 'a/talk.mp4', false],
    ['a/*.mp4', 'a/talk.mp4', true],
    ['a/*.mp4', 'b/a/talk.mp4', false],
    ['a/*.mp4', 'a/b/talk.mp4', false],
    ['a/**/*.mp4', 'a/talk.mp4', true],
    ['a/**/*.mp4', 'a/b/c/talk.mp4', true],
    ['**/raw/*', 'raw/x', true],
    ['**/raw/*', 'a/raw/x', true],
    ['**/raw/*', 'a/raw/b/x', false],
    ['Raw/', 'raw/x', true],
    ['Raw/', 'a/raw/b/x', true],
    ['Raw/', 'Raw', false],
    ['/Raw/', 'a/Raw/x', false],
    ['/Raw/', 'Raw/b/x', true],
    ['**', 'a/b', true],
    ['**', 'a', true],
    ['a/**', 'a/b', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['*/**', 'a', false],
    ['*/**', 'a/b', true],
    ['a**b', 'axxb', true],
    ['a**b', 'ax/xb', false],
    ['?.wav', 'é.wav', true],
    ['?.wav', '🎙.wav', true],
    ['?.wav', 'ab.wav', false],
    ['take[0-9].wav', 'take7.wav', true],
    ['take[0-9].wav', 'takex.wav', false],
    ['take[!0-9].wav', 'takex.wav', true],
    ['take[^0-9].wav', 'take7.wav', false],
    ['take[A-C]', 'takeb', true],
    ['take[a-c]', 'takeB', true],
    ['take[]x]', 'take]', true],
    ['take[-x]', 'take-', true],
    ['take[{,}]', 'take,', true],
    ['{a,[,}]}', ',', true],
    ['{a,[,}]}', '}', true],
    ['{a,[,}]}', 'a', true],
    ['[*].mp4', '*.mp4', true],
    ['[*].mp4', 'a.mp4', false],
    ['*.{mp4,mov}', 'a.mov', true],
    ['*.{mp4,mov}', 'a.mkv', false],
    ['{a,b/{c,d}}/*', 'b/d/x', true],
    ['{a,b/{c,d}}/*', 'b/x', false],
    ['a{,b}.wav', 'a.wav', true],
    ['a{,b}.wav', 'ab.wav', true],
    ['Take (1)+!.wav', 'take (1)+!.wav', true],
    ['$^.wav', '$^.wav', true],
    ['Mu\u0308ller*', 'M\u00fcller.wav', true],
    ['M\u00fcller*', 'Mu\u0308ller.wav', true],
    ['*.mp4', '.mp4', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*ab', 'aab', true],
    ['a/**/b/**/c', 'a/x/b/y/b/z/c', true],
    ['a/**/b/**/c', 'a/x/c/y/b', false],
  ])('%s matches the path %s: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['x'.repeat(251), 'too-long'],
    ['a\\b', 'backslash'],
    ['{a', 'brace'],
    ['a}', 'brace'],
    ['}a{', 'brace'],
    ['{a}', 'brace'],
    ['{}', 'brace'],
    ['{a,{b}', 'brace'],
    ['[a', 'bracket'],
    ['[]', 'bracket'],
    ['[a/b]', 'bracket'],
    ['[z-a]', 'bracket'],
    ['{a,b}'.repeat(7), 'alternatives'],
    ['{,}'.repeat(80), 'alternatives'],
    ['a//b', 'folder-name'],
    ['../a', 'folder-name'],
    ['a/./b', 'folder-name'],
    ['/', 'folder-name'],
    ['//', 'folder-name'],
  ])('%s is refused as %s', (glob, problem) => {
    expect(globProblem(glob)).toBe(problem);
  });

  it('is accepted with the maximum number of characters and of alternatives', () => {
    expect(globProblem('x'.repeat(250))).toBeNull();
    expect(globProblem('{a,b}'.repeat(6))).toBeNull();
  });
});

/** Returns whether a glob without braces and classes matches. It tries every length for every star, in exponential time. */
function triesAll(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('**/')) {
    const slash = text.indexOf('/');
    return triesAll(pattern.slice(3), text) || (slash >= 0 && triesAll(pattern, text.slice(slash + 1)));
  }
  if (pattern === '**') return true;
  const isSlash = text[0] === '/';
  if (pattern[0] === '*')
    return triesAll(pattern.slice(1), text) || (text !== '' && !isSlash && triesAll(pattern, text.slice(1)));
  if (text === '' || (pattern[0] === '?' ? isSlash : pattern[0] !== text[0])) return false;
  return triesAll(pattern.slice(1), text.slice(1));
}

describe('random globs', () => {
  it('match the same paths as a matcher that tries every possibility', () => {
    const prng = new Prng(5);
    let hits = 0;
    for (let run = 0; run < 20_000; run += 1) {
      const glob = Array.from({ length: prng.int(1, 8) }, () => prng.pick(['a', 'b', '*', '*', '?', '/', '/**/'])).join(
        '',
      );
      const path = Array.from({ length: prng.int(1, 4) }, () => prng.pick(['a', 'b', 'aa', 'ab', 'abab', 'bbb'])).join(
        '/',
      );
      const bound = glob.startsWith('/') ? glob.slice(1) : glob;
      const whole = glob.includes('/') ? bound : `**/${glob}`;
      // Two stars within a name count as one star, which `triesAll` does not know.
      if (globProblem(glob) !== null || glob.endsWith('/') || /[^/]\*\*|\*\*[^/]/.test(whole)) continue;
      const isMatch = matches(glob, path);
      if (isMatch !== triesAll(whole, path)) expect.fail(`${glob} on ${path}: ${isMatch}`);
      hits += Number(isMatch);
    }
    expect(hits).toBeGreaterThan(500);
  });

  it.each(['*a*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '{*a*a*a*,*a*a*}{*a*a*b,*a*a*c}'])(
    'do not match long paths that are almost matches, without a search in exponential time: %s',
    (glob) => {
      // An expression that backtracks would not end for this text.
      expect(matches(glob, 'a'.repeat(4000))).toBe(false);
      expect(matches(glob, Array.from({ length: 2000 }, () => 'a').join('/'))).toBe(false);
    },
  );
});
