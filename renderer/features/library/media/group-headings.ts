import { useMemo } from 'react';
import type { ListGroup } from '../../../../shared/contract/library.ts';
import { type GroupedSort, LENGTH_STEPS, SIZE_STEPS } from '../../../../shared/model/list-groups.ts';
import { formatBytes, formatCount, formatDuration, formatMonth } from '../../../kit/text/format.ts';
import { mediaLook, typeWord } from '../../../kit/text/states.ts';
import { groupingOf, mediaList, useGrouping, useMediaFacts } from '../state/media-store.ts';
import { texts } from '../texts.ts';

const words = texts.media.groups;

/** Returns the headings of the groups of the shown list; undefined without groups. */
export function useHeadings(sort: string) {
  const groups = useMediaFacts((state) => state.groups);
  const total = mediaList.useList((state) => state.total);
  const grouped = groupingOf(
    sort,
    useGrouping((state) => state.isGrouped),
  );
  return useMemo(
    () => (grouped === null || groups === null || total === null ? undefined : headingsOf(grouped, groups, total)),
    [grouped, groups, total],
  );
}

/**
 * Returns the headings of the groups of a list. undefined when the groups belong to another state of the list, whose length was
 * different.
 */
function headingsOf(sort: GroupedSort, groups: readonly ListGroup[], total: number) {
  let index = 0;
  const headings = groups.map((group) => {
    const heading = { index, text: textOf(sort, group), detail: formatCount(group.count) };
    index += group.count;
    return heading;
  });
  return index === total ? headings : undefined;
}

function textOf(sort: GroupedSort, { value, isRest }: ListGroup): string {
  if (isRest) return words.rest;
  return value === null ? NO_VALUE[sort] : TEXTS[sort](value);
}

const NO_VALUE: Readonly<Record<GroupedSort, string>> = {
  collection: words.noCollection,
  type: words.noType,
  status: words.noTitle,
  byline: words.noByline,
  tags: words.noTags,
  title: words.noTitle,
  created_on: words.noDate,
  modified_on: words.noDate,
  publish_on: words.noDate,
  duration: words.noLength,
  size: words.sizeUnknown,
  captions: words.captionsUnknown,
};

const asItIs = (value: string) => value;

const TEXTS: Readonly<Record<GroupedSort, (value: string) => string>> = {
  collection: asItIs,
  type: typeWord,
  status: (value) => mediaLook(value).word,
  byline: asItIs,
  tags: asItIs,
  title: initialText,
  created_on: formatMonth,
  modified_on: formatMonth,
  publish_on: formatMonth,
  duration: (value) => stepText(Number(value), LENGTH_STEPS, formatDuration),
  size: (value) => (Number(value) < 0 ? words.noSize : stepText(Number(value), SIZE_STEPS, formatBytes)),
  captions: (value) => (value === '1' ? words.captions : words.noCaptions),
};

function initialText(letter: string): string {
  if (letter === '') return words.noTitle;
  return letter === '0' ? words.digits : letter.toLocaleUpperCase();
}

/** Returns the range from one of `steps` to the next one. */
function stepText(lower: number, steps: readonly number[], format: (value: number) => string): string {
  const upper = steps.find((step) => step > lower);
  if (upper === undefined) return words.atLeast(format(lower));
  return lower === steps[0] ? words.below(format(upper)) : words.between(format(lower), format(upper));
}
