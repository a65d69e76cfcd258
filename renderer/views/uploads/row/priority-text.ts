import type { Priority } from '../../../../shared/model/priorities.ts';

/** The word and icon of each priority. Lists do not show the usual one, so it has no icon. */
export const PRIORITY_LOOKS: Readonly<Record<Priority, { word: string; glyph: 'high' | 'low' | null }>> = {
  high: { word: 'High', glyph: 'high' },
  normal: { word: 'Normal', glyph: null },
  low: { word: 'Low', glyph: 'low' },
};
