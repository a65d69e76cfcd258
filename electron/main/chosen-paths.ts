import { appError } from '../../shared/contract/app-error.ts';
import type { CallName } from '../../shared/contract/contract.ts';

/** The calls of a screen that write files, with the field of their input that says where. */
const PLACES = {
  'manifest.export': 'path',
  'manifest.saveErrors': 'path',
  'downloads.start': 'folder',
} as const satisfies Partial<Record<CallName, string>>;

/** The places that native dialogs returned. A screen can have files written only there, once for each answer of a dialog. */
export interface ChosenPaths {
  /** Remembers the answer of a dialog; null: the user cancelled it. Returns it. */
  add(path: string | null): string | null;
  /** Throws `input.invalid` for a call that writes files to a place that no dialog returned. */
  use(name: CallName, input: unknown): void;
}

/** Creates an empty record of chosen places. */
export function createChosenPaths(): ChosenPaths {
  const chosen = new Set<string>();
  return {
    add(path) {
      if (path !== null) chosen.add(path);
      return path;
    },
    use(name, input) {
      if (!Object.hasOwn(PLACES, name)) return;
      const place: unknown = (input as Record<string, unknown>)[PLACES[name as keyof typeof PLACES]];
      if (typeof place === 'string' && chosen.delete(place)) return;
      throw appError('input.invalid', { message: 'Mediadesk writes files only where you chose it in a dialog.' });
    },
  };
}
