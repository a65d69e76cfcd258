import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { ITEM_FIELDS, type ItemField, TEXT_FIELDS } from '../../../../shared/item/fields.ts';
import { type CompiledRecipe, compileRecipe } from '../../../../shared/model/recipes/recipe.ts';
import { type OptionSpec, type OptionValues, oneOf, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand, EDITING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { describeFiles } from '../../edits/describe-files.ts';
import { runEdit } from '../../edits/run-edit.ts';
import {
  editSelectionOf,
  ITEM_SELECTION_OPTIONS,
  type ItemSelection,
  readItemSelection,
} from '../../library/item-selection.ts';

type Recipe = NonNullable<BulkChange['recipe']>;

interface DescribeInput {
  /** Items of the library, or paths of local files. */
  what: { items: ItemSelection } | { paths: readonly string[] };
  recipe: Recipe;
  isDryRun: boolean;
}

const TEMPLATE_OPTIONS = {
  title: { value: 'TEMPLATE', help: 'Build the title, such as “{course}: {title}”.' },
  byline: { value: 'TEMPLATE', help: 'Build the byline.' },
  description: { value: 'TEMPLATE', help: 'Build the description, as HTML. {now} is the present value.' },
  tags: { value: 'TEMPLATE', help: 'Build the tags, separated by commas, such as “{now}, {course}”.' },
} as const satisfies Record<ItemField, OptionSpec>;

/** Reads values out of the titles of items by a pattern, and builds their fields by templates. Previews local files. */
export const describeCommand = defineEngineCommand<DescribeInput>({
  name: 'describe',
  operands: '[ITEM…]',
  summary: 'Fill fields of items from a pattern: by ID, or all items of a query. With --files, preview local files.',
  options: {
    pattern: { value: 'PATTERN', help: 'How the text is read, such as {date:YYYYMMDD}_{course}_{title}.' },
    from: { value: 'FIELD', values: TEXT_FIELDS, help: 'The text to read: title (default), byline or description.' },
    ...TEMPLATE_OPTIONS,
    underscores: { value: null, help: 'Read underscores as blanks.' },
    files: { value: null, help: 'The operands are files and folders here: show their values, and change nothing.' },
    ...ITEM_SELECTION_OPTIONS,
    'dry-run': { value: null, help: 'Only show what would change.' },
  },
  read: (values, ids) => ({
    what: values.files === true ? { paths: filePaths(ids) } : { items: readItemSelection(values, ids) },
    recipe: readRecipe(values),
    isDryRun: values['dry-run'] === true,
  }),
  interruptedText: EDITING_INTERRUPTED,
  async run(context, { what, recipe, isDryRun }) {
    if ('paths' in what) return describeFiles(context, what.paths, compiledOf(recipe));
    const { id: siteId } = await currentSite(context);
    const selection = await editSelectionOf(context.engine, siteId, what.items);
    return runEdit(context, { selection, change: { recipe }, isDryRun, label: `describe ${recipe.pattern}` });
  },
});

function filePaths(operands: readonly string[]): readonly string[] {
  if (operands.length === 0) throw new UsageError('Name at least one file or folder.');
  return operands;
}

/** Reads the options of a recipe. Throws `UsageError` with the first problem of its pattern or templates. */
function readRecipe(values: OptionValues): Recipe {
  const from = oneOf(values, 'from', TEXT_FIELDS, 'title');
  const fields = Object.fromEntries(
    ITEM_FIELDS.flatMap((field) => {
      const template = optionText(values, field);
      if (template?.trim() === '') throw new UsageError(`Enter a template for --${field}, such as "{name}".`);
      return template === null ? [] : [[field, template]];
    }),
  );
  if (Object.keys(fields).length === 0) throw new UsageError('Enter what to build, such as --title or --tags.');
  const recipe: Recipe = {
    from,
    fields,
    pattern: optionText(values, 'pattern') ?? '',
    hasUnderscores: values.underscores === true,
  };
  compiledOf(recipe);
  return recipe;
}

/** Throws `UsageError` with the first problem of a recipe. */
function compiledOf(recipe: Recipe): CompiledRecipe {
  const compiled = compileRecipe(recipe);
  if (!('problems' in compiled)) return compiled;
  const [first] = compiled.problems;
  throw new UsageError(`Invalid value for --${first?.place}: ${first?.problem}`);
}
