import type { EditChoice, EditRow, EditRowsRef } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import type { EngineContext } from '../command-base/context.ts';
import { localTime } from '../output/local-time.ts';
import { printable } from '../output/text-format.ts';
import { editValueText } from './edit-text.ts';

const ROWS_PAGE = 500;
const MOST_LINES = 100;

/** A field that needs a decision, with the edit that asks. */
interface Asked {
  row: EditRow;
  change: EditRow['changes'][number];
}

/** Returns what a decision is about, before it is made. `field` null: every field that needs a decision. */
export async function askedBy({ engine }: EngineContext, rows: EditRowsRef, field: AnyField | null): Promise<Asked[]> {
  const wanted = 'ids' in rows ? new Set(rows.ids) : null;
  const groupId = 'ids' in rows ? null : rows.groupId;
  const asked: Asked[] = [];
  for (let offset = 0; ; offset += ROWS_PAGE) {
    const page = { groupId, filter: 'attention', entityId: null, offset, limit: ROWS_PAGE } as const;
    const { rows: found, total } = await engine.call('edits.groupRows', page);
    for (const row of found.filter(({ id }) => wanted?.has(id) ?? true)) {
      const changes = row.changes.filter((each) => each.needsDecision && (field === null || each.field === field));
      asked.push(...changes.map((change) => ({ row, change })));
    }
    if (offset + ROWS_PAGE >= total) return asked;
  }
}

/** Returns one line for each field that was decided: what is sent, and what is not. */
export function decisionLines(asked: readonly Asked[], choice: EditChoice): string[] {
  const lines = asked.slice(0, MOST_LINES).map(({ row, change }) => {
    return `${row.id}  ${printable(row.name)}: ${decisionText(change, choice)}`;
  });
  return asked.length > MOST_LINES ? [...lines, `… and ${asked.length - MOST_LINES} more`] : lines;
}

/** The own value is the newest one, which a later edit may have set. */
function decisionText({ field, after, theirs }: Asked['change'], choice: EditChoice): string {
  const isDeletion = field === 'item';
  switch (choice.kind) {
    case 'mine':
      if (theirs === null && field === 'publication') return 'publish: still needs a decision';
      return isDeletion
        ? 'delete anyway'
        : `${field}: send ${editValueText(after)}, replacing ${editValueText(theirs)}`;
    case 'theirs':
      return isDeletion
        ? 'keep, don’t delete'
        : `${field}: keep ${editValueText(theirs)}, don’t send ${editValueText(after)}`;
    case 'value':
      return `${field}: send ${editValueText(choice.value)}, not ${editValueText(after)}`;
    case 'now':
      return 'publish now';
    case 'at':
      return `publish ${localTime(Date.parse(choice.at))}`;
  }
}
