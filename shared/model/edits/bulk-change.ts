import type { BulkChange, ItemChange, TextChange } from '../../contract/edits.ts';
import { TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';
import { type GivenItemFields, textProblem } from '../item-fields.ts';
import { canonicalTag, isSamePublication } from './canonical.ts';
import type { EditableMedia, EditOp } from './edit-ops.ts';
import { hasTag } from './fold.ts';
import { recipeFields } from './recipe-change.ts';
import { replaceText } from './replace-text.ts';
import { deletionOf } from './seen-item.ts';

/** Why an item can't be changed. */
export type PlanProblem = 'title-empty' | 'too-long' | 'no-match';

/** The effect of a change on one item: the ops that have an effect, or the problem that prevents all of them. */
export interface PlannedItem {
  ops: EditOp[];
  problem: PlanProblem | null;
}

/**
 * Returns the ops of a change for one item. The review and the job both use this function, so the job applies exactly the shown
 * changes. Ops without an effect are omitted. `truth`: the item without its pending edits, which is the base of a deletion.
 */
export function planItem(item: EditableMedia, given: ItemChange, truth: EditableMedia = item): PlannedItem {
  const built = given.recipe === undefined ? {} : recipeFields(item, given.recipe);
  if (built === null) return { ops: [], problem: 'no-match' };
  const change = { ...built, ...given };
  if (change.delete === true) return { ops: [deletionOf(truth)], problem: null };
  const ops: EditOp[] = [];
  for (const field of TEXT_FIELDS) {
    const wanted = change[field];
    if (wanted === undefined) continue;
    const base = item[field];
    const mine = changedText(base, wanted);
    if (mine === base) continue;
    const problem = problemOf(field, mine);
    if (problem !== null) return { ops: [], problem };
    ops.push({ kind: 'set-field', v: 1, field, base, mine });
  }
  ops.push(...tagOps(item, change.tags));
  const { collectionId } = change;
  if (collectionId !== undefined && collectionId !== item.collectionId) {
    ops.push({ kind: 'move-collection', v: 1, base: item.collectionId, mine: collectionId });
  }
  ops.push(...publicationOps(item, change.publication), ...fileOps(change.files));
  return { ops, problem: null };
}

/** Returns the change that gives these values to an item. */
export function changeTo({ tags, ...texts }: GivenItemFields): ItemChange {
  const given = TEXT_FIELDS.flatMap((field): [TextFieldKey, TextChange][] => {
    const value = texts[field];
    return value === undefined ? [] : [[field, { kind: 'set', value }]];
  });
  return {
    ...Object.fromEntries(given),
    ...(tags === undefined ? {} : { tags: { kind: 'replace', tags } }),
  };
}

/** Returns a text after a change. */
function changedText(text: string, change: TextChange): string {
  switch (change.kind) {
    case 'set':
      return change.value;
    case 'clear':
      return '';
    case 'prefix':
      return change.text + text;
    case 'suffix':
      return text + change.text;
    case 'replace':
      return replaceText(text, change).text;
  }
}

function problemOf(field: TextFieldKey, value: string): PlanProblem | null {
  const problem = textProblem(field, value);
  return problem === 'empty' ? 'title-empty' : problem;
}

function tagOps(item: EditableMedia, change: BulkChange['tags']): EditOp[] {
  if (change === undefined) return [];
  const isReplaced = change.kind === 'replace';
  const wanted = distinct(isReplaced ? change.tags : change.add);
  const kept = new Set(wanted.map(canonicalTag));
  const removed = isReplaced ? item.tags.filter((tag) => !kept.has(canonicalTag(tag))) : change.remove;
  return [
    ...distinct(removed)
      .filter((tag) => hasTag(item, tag) && !kept.has(canonicalTag(tag)))
      .map((tag): EditOp => ({ kind: 'remove-tag', v: 1, tag })),
    ...wanted.filter((tag) => !hasTag(item, tag)).map((tag): EditOp => ({ kind: 'add-tag', v: 1, tag })),
  ];
}

/** Returns tags without blank ones and repetitions; of several spellings of a tag the first is kept. */
function distinct(tags: readonly string[]): string[] {
  const byForm = new Map<string, string>();
  for (const tag of tags) {
    const form = canonicalTag(tag);
    if (form !== '' && !byForm.has(form)) byForm.set(form, tag.trim());
  }
  return [...byForm.values()];
}

function fileOps(change: BulkChange['files']): EditOp[] {
  if (change === undefined) return [];
  const { embed, delete: deleted } = change;
  return [
    ...(embed === null ? [] : [{ kind: 'add-embed', v: 1, ...embed } as const]),
    ...deleted.map(({ id, name }) => ({ kind: 'delete-file', v: 1, fileId: id, name }) as const),
  ];
}

function publicationOps(item: EditableMedia, change: ItemChange['publication']): EditOp[] {
  if (change === undefined) return [];
  const base = { status: item.status, publishOn: item.publishOn };
  if (change.kind === 'unpublish') return item.status === 'draft' ? [] : [{ kind: 'unpublish', v: 1, base }];
  if (change.kind === 'now') {
    return item.status === 'published' ? [] : [{ kind: 'publish', v: 1, base, when: 'now' }];
  }
  if (isSamePublication(base, { status: 'scheduled', publishOn: change.at })) return [];
  return [{ kind: 'publish', v: 1, base, when: { at: change.at } }];
}
