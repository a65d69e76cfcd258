import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about saved presets and patterns. */
export const PRESET_ERRORS = {
  'preset.name-taken': {
    message: 'Another preset has this name already.',
    nextStep: 'Choose another name, or delete the other preset.',
    disposition: 'ask',
  },
  'preset.too-many': {
    message: 'You saved as many presets as Mediadesk keeps.',
    nextStep: 'Delete presets that you no longer need.',
    disposition: 'ask',
  },
  'recipe.name-taken': {
    message: 'Another saved pattern has this name already.',
    nextStep: 'Choose another name, or delete the other pattern.',
    disposition: 'ask',
  },
  'recipe.too-many': {
    message: 'You saved as many patterns as Mediadesk keeps.',
    nextStep: 'Delete patterns that you no longer need.',
    disposition: 'ask',
  },
} as const satisfies Record<string, CatalogEntry>;
