import type { OptionSpec, OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The placeholders of values that name something. The other values are texts, which may be empty. */
const NAMING: ReadonlySet<string> = new Set([
  ...[
    'ADDRESS',
    'COLLECTION',
    'FILE',
    'FOLDER',
    'GROUP',
    'GROUPS',
    'ID',
    'ITEM',
    'LIST',
    'NAME',
    'PERSON',
    'PERSONS',
    'ROLE',
  ],
  ...['TAG', 'UPLOAD'],
]);

/** Throws `UsageError` when an option that names something has an empty value, such as that of a variable that is not set. */
export function refuseEmptyOptions(values: OptionValues, options: Record<string, OptionSpec>): void {
  for (const [name, { value }] of Object.entries(options)) {
    const given = values[name];
    if (typeof given === 'string' && given.trim() === '' && NAMING.has(value ?? '')) {
      throw new UsageError(`Enter a value for --${name}.`);
    }
  }
}

/** Throws `UsageError` for an empty operand, unless the operands are a text. `form`: the operands, as shown in the help. */
export function refuseEmptyOperands(operands: readonly string[], form: string): void {
  const index = operands.findIndex((operand) => operand.trim() === '');
  if (index < 0 || form.includes('TEXT')) return;
  throw new UsageError(`Argument ${index + 1} is empty. The command takes ${form}.`);
}
