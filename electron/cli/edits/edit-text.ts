import type { EditFieldChange, EditGroup, EditPlan, EditRow, EditValue } from '../../../shared/contract/edits.ts';
import { localTime } from '../output/local-time.ts';
import { printable } from '../output/text-format.ts';

const LONGEST_VALUE = 60;

/** Returns a change as `title: “Talk” → “2031: Talk”`. */
function changeText({ field, before, after }: EditFieldChange): string {
  if (field === 'item') return 'delete';
  return `${field}: ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: EditValue): string {
  if (value === null || value === '') return '(none)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : printable(value.join(', '));
  if (typeof value === 'object') {
    return value.publishOn === null ? value.status : `${value.status} ${localTime(Date.parse(value.publishOn))}`;
  }
  const text = printable(value);
  return `“${text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`}”`;
}

/** Returns the numbers of a plan, and its rows: one line for each change. */
export function planLines(plan: EditPlan): string[] {
  const lines = plan.rows.flatMap(({ entityId, name, changes, problem }) => [
    `${entityId}  ${printable(name)}`,
    ...(problem === null ? changes.map((change) => `    ${changeText(change)}`) : [`    ${problem.message}`]),
  ]);
  const counts = [`${plan.changed} of ${plan.items} items would change`];
  if (plan.problems > 0) counts.push(`${plan.problems} can’t be changed like this`);
  if (plan.missing > 0) counts.push(`${plan.missing} not found`);
  if (plan.rows.length < plan.total) lines.push(`… and ${plan.total - plan.rows.length} more`);
  return [...lines, `${counts.join(', ')}.`];
}

/** Returns the states of a group with their numbers: `412 done, 3 refused`. */
export function countsText({ counts }: EditGroup): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([state, count]) => `${count} ${state === 'left' ? 'left alone' : state}`).join(', ');
}

/** Returns one line for a group in a list. */
export function groupCells(group: EditGroup): string[] {
  const what = group.undoes === null ? group.label || group.firstName : `Undo: ${group.label || group.firstName}`;
  return [group.id, localTime(group.createdAt), String(group.items), countsText(group), printable(what)];
}

/** Returns the lines for an item of a group: its changes, and why it waits. */
export function rowLines({ id, entityId, name, state, changes, error }: EditRow): string[] {
  return [
    `${id}  ${state}  item ${entityId}  ${printable(name)}`,
    ...changes.map((change) => {
      const theirs = change.needsDecision && change.theirs !== null ? `; theirs: ${valueText(change.theirs)}` : '';
      return `    ${changeText(change)}${theirs}`;
    }),
    ...(error === null ? [] : [`    ${printable(error.message)}`]),
    ...(error?.nextStep && state !== 'done' ? [`    ${printable(error.nextStep)}`] : []),
  ];
}
