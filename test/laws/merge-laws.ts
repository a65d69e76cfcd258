// The laws of the three-way merge of texts.
import fc from 'fast-check';
import { decidedText, type MergedText, mergeText, type TextVersions } from '../../shared/model/edits/merge-text.ts';
import { textTokens } from '../../shared/model/edits/text-tokens.ts';
import { type Law, law } from './law.ts';

const pieces = ['a', 'b', 'c', 'Zoë', '漢', '字', ' ', ' ', '\n', '.', '👩‍💻', 'e\u0301', '&amp;', '&nbsp;'];
const lines = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((each) => each.join(''));

/** HTML whose elements are nested correctly. */
const nested = fc.letrec<{ tree: string; node: string }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 5 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...pieces, '<br>', '<!-- <p> -->', '< ', '<img src="a>b"/>'),
    fc
      .tuple(
        fc.constantFrom(['<p>', '</p>'], ['<b>', '</b>'], ['<a href="x>y">', '</A>'], ['<p class=c>', '</p>']),
        tie('tree'),
      )
      .map(([[open, close], inner]) => `${open}${inner}${close}`),
  ),
})).tree;

/** HTML in pieces, also broken. */
const broken = fc
  .array(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b',
      '>',
      '<',
      "<a title='",
      '"',
      "'",
      '=',
      '<!--',
      '-->',
      '/',
      '&',
      ';',
      ...pieces,
    ),
    { maxLength: 16 },
  )
  .map((each) => each.join(''));

/** Any text in any form. */
const texts = fc.oneof(lines, nested, broken, fc.string({ unit: 'binary', maxLength: 12 }));
const forms = fc.boolean();

/** A version of a correctly nested text with some of its pieces changed, so that versions have much in common. */
const relatives = fc
  .tuple(fc.array(nested, { minLength: 1, maxLength: 6 }), nested, fc.nat(), nested, fc.nat(), fc.boolean())
  .map(([blocks, one, at, other, otherAt, wraps]): TextVersions => {
    const withOne = (text: string, index: number) =>
      blocks.map((block, each) => (each === index ? text : block)).join('');
    const mine = withOne(one, at % blocks.length);
    return {
      base: blocks.join(''),
      mine: wraps ? `<b>${mine}</b>` : mine,
      theirs: withOne(other, otherAt % blocks.length),
    };
  });
const unrelated = fc.record({ base: nested, mine: nested, theirs: nested });
const versions = fc.oneof(relatives, unrelated);

const VOID = /^<(?:br|img)\b/i;

/** Whether every element is closed in the order in which it was opened. */
function isNested(html: string): boolean {
  const open: string[] = [];
  for (const { text, kind } of textTokens(html, true)) {
    const [, slash, name] = /^<(\/?)([a-z]+)/i.exec(text) ?? [];
    if (kind !== 'tag' || name === undefined || VOID.test(text)) continue;
    if (slash === '') open.push(name.toLowerCase());
    else if (open.pop() !== name.toLowerCase()) return false;
  }
  return open.length === 0;
}

function decidedBy({ parts }: MergedText, choices: readonly boolean[]): string {
  return parts
    .map((part, index) =>
      part.kind === 'text' ? part.text : choices[index % choices.length] ? part.mine : part.theirs,
    )
    .join('');
}

/** A text of different words of which each side replaces some that the other leaves. */
const separate = fc.array(fc.constantFrom('', '', 'mine', 'theirs'), { minLength: 1, maxLength: 30 });

export const MERGE_LAWS: readonly Law[] = [
  law(
    'the joined tokens of a text are the text',
    [texts, forms],
    (text, isHtml) =>
      textTokens(text, isHtml)
        .map((token) => token.text)
        .join('') === text,
  ),
  law('a merge with an unchanged side is the other side', [texts, texts, forms], (base, changed, isHtml) => {
    const merges = [
      mergeText({ base, mine: base, theirs: changed }, { isHtml }),
      mergeText({ base, mine: changed, theirs: base }, { isHtml }),
      mergeText({ base, mine: changed, theirs: changed }, { isHtml }),
    ];
    return merges.every((merged) => merged.conflicts === 0 && decidedText(merged, 'mine') === changed);
  }),
  law(
    'a merge has the same parts when its sides are exchanged',
    [fc.record({ base: texts, mine: texts, theirs: texts }), forms],
    (all, isHtml) => {
      const merged = mergeText(all, { isHtml });
      const swapped = mergeText({ base: all.base, mine: all.theirs, theirs: all.mine }, { isHtml });
      const back = swapped.parts.map((part) =>
        part.kind === 'text' ? part : { kind: part.kind, base: part.base, mine: part.theirs, theirs: part.mine },
      );
      return JSON.stringify(back) === JSON.stringify(merged.parts);
    },
  ),
  law('a merge has the same text when its sides are exchanged', [versions], (all) => {
    const one = mergeText(all, { isHtml: true });
    const other = mergeText({ ...all, mine: all.theirs, theirs: all.mine }, { isHtml: true });
    return decidedText(one, 'mine') === decidedText(other, 'theirs');
  }),
  law('each conflict has three different versions', [versions], (all) =>
    mergeText(all, { isHtml: true }).parts.every(
      (part) => part.kind === 'text' || new Set([part.base, part.mine, part.theirs]).size === 3,
    ),
  ),
  law(
    'correctly nested elements stay so, however conflicts are decided',
    [versions, fc.array(fc.boolean(), { minLength: 1, maxLength: 4 })],
    (all, choices) => isNested(decidedBy(mergeText(all, { isHtml: true }), choices)),
  ),
  law('a merge keeps all changes of different words', [separate], (changed) => {
    const versionOf = (...names: string[]) =>
      changed.map((by, index) => (names.includes(by) ? `${by}${index}` : `word${index}`)).join(' ');
    const merged = mergeText(
      { base: versionOf(), mine: versionOf('mine'), theirs: versionOf('theirs') },
      { isHtml: false },
    );
    return merged.conflicts === 0 && decidedText(merged, 'mine') === versionOf('mine', 'theirs');
  }),
  law('a merge contains only words of its versions', [versions], (all) => {
    const known = new Set(Object.values(all).flatMap((text) => textTokens(text, true).map((token) => token.text)));
    const merged = mergeText(all, { isHtml: true });
    return merged.parts.every((part) =>
      Object.values({ ...part, kind: '' }).every((text) =>
        textTokens(text, true).every((token) => known.has(token.text)),
      ),
    );
  }),
];
