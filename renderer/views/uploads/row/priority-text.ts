import type { Priority } from '../../../../shared/model/priorities.ts';

/** How a priority is shown: a word and an icon; the usual one needs neither in a list. */
export const PRIORITY_LOOKS: Readonly<Record<Priority, { word: string; glyph: 'high' | 'low' | null }>> = {
  high: { word: 'High', glyph: 'high' },
  normal: { word: 'Normal', glyph: null },
  low: { word: 'Low', glyph: 'low' },
};
