import type { BulkChange, RecipeChange } from '../../contract/edits.ts';
import { type ItemField, recordOf, TEXT_FIELDS } from '../../item/fields.ts';
import { applyRecipe, type CompiledRecipe, compileRecipe, recipeTagsOf } from '../recipes/recipe.ts';
import type { EditableMedia } from './edit-ops.ts';

/** Recipes are compiled once for all items of a selection. */
const compiled = new WeakMap<RecipeChange, CompiledRecipe>();

/**
 * Returns the changes of a recipe for one item: its pattern reads one text of the item, its templates build the others. null: the
 * text does not match the pattern. `recipe` must be valid, see `recipeChangeSchema`.
 */
export function recipeFields(item: EditableMedia, recipe: RecipeChange): Pick<BulkChange, ItemField> | null {
  const { read, fields } = applyRecipe(compiledOf(recipe), {
    stem: item[recipe.from],
    extension: '',
    folders: [],
    number: 1,
    changed: null,
    recorded: null,
    mediaTags: {},
    current: { ...recordOf(TEXT_FIELDS, (field) => item[field]), tags: item.tags.join(', ') },
  });
  if (read === null) return null;
  const { tags, ...texts } = fields;
  return {
    ...Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, { kind: 'set' as const, value }])),
    ...(tags === undefined ? {} : { tags: { kind: 'replace' as const, tags: recipeTagsOf(tags) } }),
  };
}

function compiledOf(recipe: RecipeChange): CompiledRecipe {
  const known = compiled.get(recipe);
  if (known !== undefined) return known;
  const result = compileRecipe(recipe);
  if ('problems' in result) throw new Error(`an invalid recipe was not rejected: ${result.problems[0]?.problem}`);
  compiled.set(recipe, result);
  return result;
}
