import { ITEM_FIELDS, type ItemField, recordOf } from '../../../../shared/item/fields.ts';
import { compileRecipe, type Recipe, type RecipeProblem } from '../../../../shared/model/recipes/recipe.ts';

/** A pattern and templates as the user types them. An empty template does not change its field. */
export interface RecipeText {
  pattern: string;
  hasUnderscores: boolean;
  templates: Readonly<Record<ItemField, string>>;
}

export const NO_TEMPLATES: RecipeText['templates'] = recordOf(ITEM_FIELDS, () => '');

export type RecipeProblems = Partial<Record<RecipeProblem['place'], string>>;

/** Returns the recipe that was typed, without empty templates. It may be invalid. */
export function recipeOf({ pattern, hasUnderscores, templates }: RecipeText): Recipe {
  const fields = Object.fromEntries(Object.entries(templates).filter(([, template]) => template !== ''));
  return { pattern, hasUnderscores, fields };
}

/** Returns the texts of a saved recipe. */
export function recipeText({ pattern, hasUnderscores, fields }: Recipe): RecipeText {
  return { pattern, hasUnderscores, templates: { ...NO_TEMPLATES, ...fields } };
}

/** Returns the problems of the parts of a recipe that are filled in, by part. An empty part is no problem yet. */
export function typedProblems(text: RecipeText): RecipeProblems {
  const compiled = compileRecipe(recipeOf(text));
  if (!('problems' in compiled)) return {};
  return Object.fromEntries(compiled.problems.map(({ place, problem }) => [place, problem]));
}
