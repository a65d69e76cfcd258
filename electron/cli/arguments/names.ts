import { MAX_ADMIN_IDS } from '../../../shared/model/access/admin-limits.ts';
import { atMost } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Returns the only name among the operands, without blanks around it. `most`: characters. Throws `UsageError`. */
export function readNewName(operands: readonly string[], most: number): string {
  const [name = '', extra] = operands;
  if (name.trim() === '') throw new UsageError('Enter a name.');
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}. Put a name with blanks in quotes.`);
  return atMost(name.trim(), most, 'A name');
}

/** Returns what an operand names, and its new name. `most`: characters. Throws `UsageError` with the sentence `missing`. */
export function readRenaming(
  operands: readonly string[],
  { missing, most }: { missing: string; most: number },
): { ref: string; name: string } {
  const [ref = '', ...names] = operands;
  if (ref.trim() === '' || names.length === 0) throw new UsageError(missing);
  return { ref, name: readNewName(names, most) };
}

/** Returns the operands. Throws `UsageError` with the sentence `missing` when there is none, or an empty one, and for too many. */
export function readRefs(operands: readonly string[], missing: string): string[] {
  if (operands.length === 0 || operands.some((ref) => ref.trim() === '')) throw new UsageError(missing);
  if (operands.length > MAX_ADMIN_IDS) throw new UsageError(`Enter at most ${MAX_ADMIN_IDS} of them.`);
  return [...operands];
}
