import type { BulkChange, EditSelection } from '../../../shared/contract/edits.ts';
import { TEXT_FIELDS, type TextField } from '../../../shared/model/edits/edit-ops.ts';
import { compileRecipe, RECIPE_FIELDS } from '../../../shared/model/recipes/recipe.ts';
import { type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { currentSite } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { runEdit } from '../edits/run-edit.ts';
import { mediaQueryOf } from '../library/each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from '../library/query-options.ts';

type Recipe = NonNullable<BulkChange['recipe']>;

interface DescribeInput {
  ids: readonly string[];
  /** null: only the ids. */
  query: ItemQuery | null;
  recipe: Recipe;
  isDryRun: boolean;
}

const { sort: _sort, order: _order, ...FILTERS } = QUERY_OPTIONS;

/** Reads values out of the titles of items by a pattern, and builds their fields by templates. */
export const describeCommand = defineEngineCommand<DescribeInput>({
  name: 'describe',
  operands: '[ITEM…]',
  summary: 'Fill fields of items from a pattern: by ID, or all items of a query.',
  options: {
    pattern: { value: 'PATTERN', help: 'How the text is read, such as {date:YYYYMMDD}_{course}_{title}.' },
    from: { value: 'FIELD', help: 'The text to read: title (default), byline or description.' },
    title: { value: 'TEMPLATE', help: 'Build the title, such as “{course}: {title}”.' },
    byline: { value: 'TEMPLATE', help: 'Build the byline.' },
    description: { value: 'TEMPLATE', help: 'Build the description, as HTML. {now} is the present value.' },
    tags: { value: 'TEMPLATE', help: 'Build the tags, separated by commas, such as “{now}, {course}”.' },
    underscores: { value: null, help: 'Read underscores as blanks.' },
    query: { value: 'TEXT', help: 'All items with this text; an empty text with filters, or for the whole library.' },
    ...FILTERS,
    'dry-run': { value: null, help: 'Only show what would change.' },
  },
  read: readInput,
  interruptedText: 'Stopping after the items in flight. The rest stays in the list of edits.',
  async run(context, { ids, query, recipe, isDryRun }) {
    const { id: siteId } = await currentSite(context);
    const selection: EditSelection =
      query === null
        ? { siteId, ids: [...ids] }
        : { siteId, query: await mediaQueryOf(context.engine, siteId, query), except: [] };
    return runEdit(context, { selection, change: { recipe }, isDryRun, label: `describe ${recipe.pattern}` });
  },
});

function readInput(values: OptionValues, ids: readonly string[]): DescribeInput {
  const text = optionText(values, 'query');
  const isQuery = text !== null || Object.keys(FILTERS).some((name) => values[name] !== undefined);
  if (isQuery && ids.length > 0) throw new UsageError('Enter either the IDs of items or a query.');
  if (!isQuery && ids.length === 0) throw new UsageError('Enter the IDs of items, or use --query.');
  return {
    ids,
    query: isQuery ? readItemQuery(values, text ?? '') : null,
    recipe: readRecipe(values),
    isDryRun: values['dry-run'] === true,
  };
}

/** Reads the options of a recipe. Throws `UsageError` with the first problem of its pattern or templates. */
function readRecipe(values: OptionValues): Recipe {
  const from = optionText(values, 'from') ?? 'title';
  if (!isTextField(from)) throw new UsageError(`Invalid value for --from: ${from}. Use ${TEXT_FIELDS.join(', ')}.`);
  const fields = Object.fromEntries(
    RECIPE_FIELDS.flatMap((field) => {
      const template = optionText(values, field);
      return template === null ? [] : [[field, template]];
    }),
  );
  if (Object.keys(fields).length === 0) throw new UsageError('Enter what to build, such as --title or --tags.');
  const recipe: Recipe = {
    ...{ from, fields, pattern: optionText(values, 'pattern') ?? '' },
    hasUnderscores: values.underscores === true,
  };
  const compiled = compileRecipe(recipe);
  const [first] = 'problems' in compiled ? compiled.problems : [];
  if (first !== undefined) throw new UsageError(`Invalid value for --${first.place}: ${first.problem}`);
  return recipe;
}

function isTextField(text: string): text is TextField {
  return (TEXT_FIELDS as readonly string[]).includes(text);
}
