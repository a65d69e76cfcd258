import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type {
  COLLECTION_CHANGES,
  EditFieldChange,
  EditGroup,
  EditPlan,
  EditRow,
  EditValue,
} from '../../../shared/contract/edits.ts';
import { seriesNoteText } from '../../../shared/model/series/series-text.ts';
import { localTime } from '../output/local-time.ts';
import { detailLines } from '../output/output.ts';

const LONGEST_VALUE = 60;

/** Returns a change as `title: “Talk” → “2031: Talk”`. */
function changeText({ field, before, after }: EditFieldChange): string {
  if (field === 'item') return 'delete';
  if (field === 'created') return `create ${editValueText(after)}`;
  return `${field}: ${editValueText(before)} → ${editValueText(after)}`;
}

/** Returns a value as text; a long text is cut. */
export function editValueText(value: EditValue): string {
  if (value === null || value === '') return '(none)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'object' && 'collections' in value) {
    return `${value.collections} collections, ${value.items} items`;
  }
  if (typeof value === 'object') {
    return value.publishOn === null ? value.status : `${value.status} ${localTime(Date.parse(value.publishOn))}`;
  }
  const text = value;
  return `“${text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`}”`;
}

/** Returns the numbers of a plan, and its rows: one line for each change. */
export function planLines(plan: EditPlan): string[] {
  const lines = plan.rows.flatMap(({ entityId, name, changes, problem, notes = [] }) => [
    `${entityId}  ${name}`,
    ...(problem === null ? changes.map((change) => `    ${changeText(change)}`) : [`    ${problem.message}`]),
    ...notes.map((note) => `    ${seriesNoteText(note)}`),
  ]);
  const counts = [`${plan.changed} of ${plan.items} items would change`];
  if (plan.problems > 0) counts.push(`${plan.problems} can’t be changed like this`);
  if (plan.missing > 0) counts.push(`${plan.missing} not found`);
  if (plan.rows.length < plan.total) lines.push(`… and ${plan.total - plan.rows.length} more`);
  return [...lines, `${counts.join(', ')}.`];
}

/** Returns the text about a change that waits in the list of edits. `what`: such as `Rename “A” to “B”`. */
export function waitsText(what: string): string {
  return `${what}: saved on this computer, not in the library yet. To send it, run “mediadesk edits retry”.`;
}

const COLLECTION_WORDS: Readonly<Record<(typeof COLLECTION_CHANGES)[number], string>> = {
  create: 'Create collection',
  edit: 'Edit collection',
  podcast: 'Edit podcast details',
  move: 'Move collection',
  delete: 'Delete collection',
};

/** Returns the name of a group in a list. */
function groupText({ label, change, fields, firstName, undoes }: EditGroup): string {
  const act = fields.includes('item') ? 'delete' : fields.join(', ');
  const isOfCollections = change !== null && 'collection' in change;
  const kind = `${isOfCollections ? COLLECTION_WORDS[change.collection] : act}: ${firstName}`;
  const what = label || kind;
  return undoes === null ? what : `Undo: ${what}`;
}

/** Returns the states of a group with their numbers: `412 done, 3 refused`. */
export function groupCountsText({ counts }: Pick<EditGroup, 'counts'>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([state, count]) => `${count} ${state === 'left' ? 'left alone' : state}`).join(', ');
}

/** Returns one line for a group in a list. */
export function groupCells(group: EditGroup): string[] {
  const what = groupText(group);
  return [group.id, localTime(group.createdAt), String(group.items), groupCountsText(group), what];
}

/** Returns the lines for an item of a group: its changes, and why it waits. */
export function rowLines({ id, entityKind, entityId, name, state, changes, error }: EditRow): string[] {
  return [
    `${id}  ${state}  ${entityKind === 'media' ? 'item' : 'collection'} ${entityId}  ${name}`,
    ...changes.flatMap((change) => {
      const theirs = change.theirs !== null ? `; theirs: ${editValueText(change.theirs)}` : '';
      const lost = change.lost === undefined ? '' : `; not used: ${change.lost.map(editValueText).join(', ')}`;
      const since = (change.since ?? []).map((each) => `      changed since: ${sinceText(each)}`);
      return [`    ${changeText(change)}${theirs}${lost}`, ...since];
    }),
    ...(error === null ? [] : errorLines(error, state).map((line) => `    ${line}`)),
  ];
}

/** Returns the lines about an error: message, details and next step; only the message for an edit that is done. */
function errorLines(error: AppErrorData, state: EditRow['state']): string[] {
  const message = error.message;
  return state === 'done' ? [message] : [message, ...detailLines(error)];
}

/** Returns the text about a later change. The value before can be missing because it was too long to be kept. */
function sinceText(change: EditFieldChange): string {
  return change.before === null ? `${change.field}: now ${editValueText(change.after)}` : changeText(change);
}
