import type { Behavior } from '../server/behavior.ts';
import { casesOf, type LocalFile } from '../suite/case.ts';
import { lost, onFirst } from './parts.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const bmpOnly = (text: string) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '');

const FILES: readonly LocalFile[] = [
  { name: 'Optics   & “light” <part 1> 😀 é.mp4', bytes: 3_000 },
  { name: 'An exceptionally long title about thermodynamics and heat 2.mp4', bytes: 2_000 },
];

const CHANGES: readonly [id: string, name: string, title: (given: string) => string][] = [
  ['collapsed', 'collapses blanks in titles', (given) => given.replace(/\s+/g, ' ')],
  ['cut', 'cuts titles after 20 characters', (given) => given.slice(0, 20)],
  ['escaped', 'escapes titles as HTML', escaped],
  ['bmp-only', 'removes characters of four bytes from titles', bmpOnly],
  ['question-marks', 'removes characters of four bytes and adds a question mark', (given) => `${bmpOnly(given)}?`],
  ['decomposed', 'decomposes letters of titles (NFD)', (given) => given.normalize('NFD')],
  ['lower-case', 'writes titles in lower case', (given) => given.toLowerCase()],
  ['words-removed', 'removes markup from titles', (given) => given.replace(/<[^>]*>/g, '')],
  ['numbered', 'adds a number to titles', (given) => `${given} (2)`],
  ['empty', 'shows empty titles', () => ''],
  ['trimmed', 'removes points and blanks around titles', (given) => given.replace(/^[. ]+|[. ]+$/g, '')],
];

/** When no title matches, the user decides about each item; before that, the client searches for the item six times. */
const ASKS = { asks: FILES.length, requests: 120 };

const withTitle = (title: (given: string) => string, behavior: Behavior = {}): Behavior => ({
  ...behavior,
  library: { title },
});

export const TITLES = casesOf('titles', (it) => {
  for (const [id, name, title] of CHANGES) {
    it(id, `${name}`, withTitle(title), { files: FILES, expect: { title } });
    it(`${id}-lost`, `${name}, and loses the replies to creations`, withTitle(title, onFirst('create-item', lost())), {
      files: FILES,
      expect: { title, retries: 1, ...(id === 'empty' ? ASKS : { requests: 70 }) },
    });
  }
  const same = () => 'Untitled';
  it(
    'all-the-same',
    'gives all items one title, and loses the reply to one creation',
    {
      ...withTitle(same),
      change: (reply, { route }, world) =>
        route === 'create-item' && world.times('create') === 2 ? { ...reply, isLost: true } : undefined,
    },
    {
      files: [1, 2, 3, 4].map((n) => ({ name: `Part ${n}.mp4`, bytes: 900 + n })),
      expect: { title: same, retries: 1, requests: 120, asks: 1 },
    },
  );
});
