import type { SavedRecipe } from '../../../../shared/contract/presets.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createSavedLists } from './saved-lists.ts';
import { SavedMenu } from './saved-menu.tsx';
import { texts } from './texts.ts';
import { useSaved } from './use-saved.ts';

interface RecipeMenuProps {
  /** The current pattern and templates; null: they can't be saved now. */
  recipe: SavedRecipe['recipe'] | null;
  onApply: (recipe: SavedRecipe['recipe']) => void;
}

const lists = createSavedLists<SavedRecipe>();

/** Saved patterns with their templates, for all libraries. */
export function RecipeMenu({ recipe, onApply }: RecipeMenuProps) {
  const saved = useSaved(lists, 'recipes', {
    list: () => call('recipes.list', null),
    save: (name, given: SavedRecipe['recipe']) => call('recipes.save', { name, recipe: given }),
    rename: (id, name) => call('recipes.rename', { id, name }),
    remove: (id) => call('recipes.remove', { id }),
    use: (id) => call('recipes.use', { id }),
  });
  return (
    <SavedMenu
      words={texts.recipes}
      saved={saved}
      values={recipe}
      hint={saved.list === null ? '' : texts.savedCount(saved.list.length)}
      onApply={(each) => onApply(each.recipe)}
    />
  );
}
