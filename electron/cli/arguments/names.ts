import { UsageError } from './usage-error.ts';

/** Returns the only name among the operands, without blanks around it. Throws `UsageError`. */
export function readNewName(operands: readonly string[]): string {
  const [name = '', extra] = operands;
  if (name.trim() === '') throw new UsageError('Enter a name.');
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}. Put a name with blanks in quotes.`);
  return name.trim();
}

/** Returns what an operand names, and its new name. Throws `UsageError` with the sentence `missing`. */
export function readRenaming(operands: readonly string[], missing: string): { ref: string; name: string } {
  const [ref = '', ...names] = operands;
  if (ref.trim() === '' || names.length === 0) throw new UsageError(missing);
  return { ref, name: readNewName(names) };
}

/** Returns the operands. Throws `UsageError` with the sentence `missing` when there is none, or an empty one. */
export function readRefs(operands: readonly string[], missing: string): string[] {
  if (operands.length === 0 || operands.some((ref) => ref.trim() === '')) throw new UsageError(missing);
  return [...operands];
}
