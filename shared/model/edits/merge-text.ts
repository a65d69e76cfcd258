import { type TextToken, textTokens } from './text-tokens.ts';
import { diffTokens, type Hunk } from './token-diff.ts';

/** A part of a merged text: decided, or changed by both sides in different ways. */
type MergedPart = { kind: 'text'; text: string } | { kind: 'conflict'; base: string; mine: string; theirs: string };

export interface TextVersions {
  /** The common original text. */
  base: string;
  mine: string;
  theirs: string;
}

export interface MergedText {
  /** In the order of the text. Parts of the kind `text` are never adjacent. */
  parts: MergedPart[];
  conflicts: number;
}

/**
 * Merges two versions of a text, word by word: a change of only one side is applied, an equal change of both sides is applied
 * once, everything else is a conflict. Changes that touch each other are a conflict.
 *
 * `isHtml`: no tag, comment or entity is ever cut, and an element that one side adds or removes is one change with its contents.
 * Elements that are nested correctly in all versions are nested correctly in the result, however its conflicts are decided. The
 * time is linear for usual texts and bounded for all: 200,000 characters take less than a second.
 */
export function mergeText({ base, mine, theirs }: TextVersions, { isHtml }: { isHtml: boolean }): MergedText {
  const numbers = new Map<string, number>();
  const [b, m, t] = [base, mine, theirs].map((text) => numbered(textTokens(text, isHtml), numbers)) as [
    Numbered,
    Numbered,
    Numbered,
  ];
  const parts: MergedPart[] = [];
  let copied = 0;
  for (const { baseFrom, baseTo, ...sides } of regionsOf(changesOf(b, m), changesOf(b, t))) {
    addText(parts, textOf(b, copied, baseFrom));
    copied = baseTo;
    const was = textOf(b, baseFrom, baseTo);
    const own = textOf(m, sides.mineFrom, sides.mineTo);
    const other = textOf(t, sides.theirsFrom, sides.theirsTo);
    if (own === other || other === was) addText(parts, own);
    else if (own === was) addText(parts, other);
    else parts.push({ kind: 'conflict', base: was, mine: own, theirs: other });
  }
  addText(parts, textOf(b, copied, b.tokens.length));
  return { parts, conflicts: parts.filter(({ kind }) => kind === 'conflict').length };
}

/** Returns a merged text with all its conflicts decided in the same way. */
export function decidedText({ parts }: MergedText, side: 'mine' | 'theirs'): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part[side])).join('');
}

interface Numbered {
  tokens: readonly TextToken[];
  /** Equal texts have equal numbers. */
  numbers: Int32Array;
}

function numbered(tokens: readonly TextToken[], known: Map<string, number>): Numbered {
  const numbers = Int32Array.from(tokens, ({ text }) => {
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  });
  return { tokens, numbers };
}

function textOf({ tokens }: Numbered, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) text += (tokens[at] as TextToken).text;
  return text;
}

function addText(parts: MergedPart[], text: string): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === 'text') last.text += text;
  else parts.push({ kind: 'text', text });
}

/**
 * Returns the changes of one side: words with only blanks between them are one change, and so is an element with its contents.
 */
function changesOf(base: Numbered, side: Numbered): Hunk[] {
  const changes: Hunk[] = [];
  let was = new ElementChange();
  let is = new ElementChange();
  for (const hunk of diffTokens(base.numbers, side.numbers)) {
    const last = changes.at(-1);
    if (last === undefined || (isSameChange(was, is) && !isBlank(base, last.baseTo, hunk.baseFrom))) {
      changes.push({ ...hunk });
      was = new ElementChange();
      is = new ElementChange();
    } else {
      was.add(base, last.baseTo, hunk.baseFrom);
      is.add(side, last.to, hunk.from);
      last.baseTo = hunk.baseTo;
      last.to = hunk.to;
    }
    was.add(base, hunk.baseFrom, hunk.baseTo);
    is.add(side, hunk.from, hunk.to);
  }
  return changes;
}

function isBlank({ tokens }: Numbered, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (tokens[at]?.kind !== 'blank') return false;
  return true;
}

/** The effect of some tokens on the elements that are open before them. */
class ElementChange {
  /** Closed elements that were open before, the innermost first. */
  readonly closed: string[] = [];
  /** Elements that stay open, the outermost first. */
  readonly opened: string[] = [];

  add({ tokens }: Numbered, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const element = tokens[at]?.element;
      if (element === undefined || element === null) continue;
      if (!element.closes) this.opened.push(element.name);
      else if (this.opened.at(-1) === element.name) this.opened.pop();
      else if (this.opened.length === 0) this.closed.push(element.name);
      // Nested incorrectly: equal only to the same nesting error.
      else this.opened.push(`/${element.name}`);
    }
  }
}

/** The maximum depth of changes that are compared: deeper ones would take too long. */
const DEEPEST_CHANGE = 500;

/** Returns whether the same elements are open after both. An element that is closed and opened again counts as open. */
function isSameChange(one: ElementChange, other: ElementChange): boolean {
  if (depthOf(one) > DEEPEST_CHANGE || depthOf(other) > DEEPEST_CHANGE) return false;
  const [skipsOne, skipsOther] = [reopened(one), reopened(other)];
  const depth = one.closed.length - skipsOne;
  const height = one.opened.length - skipsOne;
  if (depth !== other.closed.length - skipsOther || height !== other.opened.length - skipsOther) return false;
  for (let at = 0; at < depth; at += 1) if (one.closed[at] !== other.closed[at]) return false;
  for (let at = 0; at < height; at += 1) {
    if (one.opened[at + skipsOne] !== other.opened[at + skipsOther]) return false;
  }
  return true;
}

function depthOf({ closed, opened }: ElementChange): number {
  return Math.max(closed.length, opened.length);
}

/** Returns how many of the closed elements, beginning with the outermost one, are opened again in the same order. */
function reopened({ closed, opened }: ElementChange): number {
  let count = 0;
  while (count < closed.length && count < opened.length && closed[closed.length - 1 - count] === opened[count]) {
    count += 1;
  }
  return count;
}

/** A part of the base that one or both sides changed, with the text of each side for it. */
interface Region {
  baseFrom: number;
  baseTo: number;
  mineFrom: number;
  mineTo: number;
  theirsFrom: number;
  theirsTo: number;
}

/** Joins the changes of both sides that overlap or touch. */
function regionsOf(mine: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const regions: Region[] = [];
  let [nextMine, nextTheirs] = [0, 0];
  /** The difference between the positions in each side and in the base. */
  let [mineShift, theirsShift] = [0, 0];
  for (;;) {
    const baseFrom = Math.min(startOf(mine[nextMine]), startOf(theirs[nextTheirs]));
    if (!Number.isFinite(baseFrom)) return regions;
    const region = {
      baseFrom,
      baseTo: baseFrom,
      mineFrom: baseFrom + mineShift,
      mineTo: 0,
      theirsFrom: baseFrom + theirsShift,
      theirsTo: 0,
    };
    for (;;) {
      const own = mine[nextMine];
      const other = theirs[nextTheirs];
      if (own !== undefined && own.baseFrom <= region.baseTo) {
        region.baseTo = Math.max(region.baseTo, own.baseTo);
        mineShift = own.to - own.baseTo;
        nextMine += 1;
      } else if (other !== undefined && other.baseFrom <= region.baseTo) {
        region.baseTo = Math.max(region.baseTo, other.baseTo);
        theirsShift = other.to - other.baseTo;
        nextTheirs += 1;
      } else break;
    }
    region.mineTo = region.baseTo + mineShift;
    region.theirsTo = region.baseTo + theirsShift;
    regions.push(region);
  }
}

function startOf(hunk: Hunk | undefined): number {
  return hunk?.baseFrom ?? Number.POSITIVE_INFINITY;
}
