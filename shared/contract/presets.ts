import { z } from 'zod';
import { ITEM_FIELDS } from '../item/fields.ts';
import { compileRecipe } from '../model/recipes/recipe.ts';
import { PRIORITIES } from '../model/uploads/priorities.ts';
import { tagNamesSchema } from './tag-names.ts';
import { duplicateChoiceSchema, sourceChoiceSchema } from './upload-choices.ts';

export const MAX_PRESETS = 500;
export const MAX_RECIPES = 200;
const presetName = z.string().trim().min(1).max(100);

/** The options of the dialog for added files that a preset contains. A publish time is not one of them. */
const presetValuesSchema = z.object({
  titleTemplate: z.string().min(1).max(500),
  tags: tagNamesSchema,
  publish: z.enum(['draft', 'now']),
  duplicates: duplicateChoiceSchema,
  sidecars: z.boolean(),
  source: sourceChoiceSchema,
  priority: z.enum(PRIORITIES),
});
export type PresetValues = z.output<typeof presetValuesSchema>;

/** Options that the user saved under a name, for one collection. Names are unique in a collection. */
export const uploadPresetSchema = z.object({
  id: z.string(),
  collectionId: z.string(),
  name: presetName,
  values: presetValuesSchema,
  /** When it was saved or used, epoch ms. */
  usedAt: z.number(),
});
export type UploadPreset = z.output<typeof uploadPresetSchema>;

/** A pattern and templates that the user saved under a name, for all accounts of the profile. Names are unique. */
export const savedRecipeSchema = z.object({
  id: z.string(),
  name: presetName,
  recipe: z
    .object({
      pattern: z.string().max(500),
      fields: z.partialRecord(z.enum(ITEM_FIELDS), z.string().max(2000)),
      hasUnderscores: z.boolean(),
    })
    .refine((recipe) => !('problems' in compileRecipe(recipe))),
  usedAt: z.number(),
});
export type SavedRecipe = z.output<typeof savedRecipeSchema>;

const ofCollection = z.object({ siteId: z.string(), collectionId: z.string().min(1) });
const presetRef = ofCollection.extend({ id: z.string() });
const presets = z.array(uploadPresetSchema);
const recipes = z.array(savedRecipeSchema);
const recipeRef = z.object({ id: z.string() });

/**
 * The calls about saved options and saved recipes. Each returns all presets of the collection, or all recipes, the last used
 * first; a change is durable when it returns. An existing name is replaced.
 */
export const PRESET_CALLS = {
  'presets.list': { input: ofCollection, output: presets },
  /** Throws `preset.too-many`. */
  'presets.save': { input: ofCollection.extend({ name: presetName, values: presetValuesSchema }), output: presets },
  /** Throws `preset.name-taken`. */
  'presets.rename': { input: presetRef.extend({ name: presetName }), output: presets },
  'presets.remove': { input: presetRef, output: presets },
  /** Notes that a preset was used. */
  'presets.use': { input: presetRef, output: presets },
  'recipes.list': { input: z.null(), output: recipes },
  /** Throws `recipe.too-many`. */
  'recipes.save': { input: savedRecipeSchema.pick({ name: true, recipe: true }), output: recipes },
  /** Throws `recipe.name-taken`. */
  'recipes.rename': { input: recipeRef.extend({ name: presetName }), output: recipes },
  'recipes.remove': { input: recipeRef, output: recipes },
  'recipes.use': { input: recipeRef, output: recipes },
} as const;
