import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import { texts } from '../texts.ts';

/** The word and icon of each priority. Lists do not show the default priority, so it has no icon. */
export const PRIORITY_LOOKS: Readonly<Record<Priority, { word: string; glyph: 'high' | 'low' | null }>> = {
  high: { word: texts.row.priorities.high, glyph: 'high' },
  normal: { word: texts.row.priorities.normal, glyph: null },
  low: { word: texts.row.priorities.low, glyph: 'low' },
};
