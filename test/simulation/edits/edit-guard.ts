import type { GuardSource } from '../station/switch-off.ts';
import type { Act } from './edit-scenario.ts';
import type { GuardStory } from './guard-story.ts';

/** A guard of the journal or the mirror and a change of its source that switches it off. */
export interface EditGuard extends GuardSource {
  name: string;
  /** A seed that breaks a rule without the guard, or the name of a kept one. */
  seed: number | string;
  /** The persons of its seeds edit collections, too. */
  hasCollections?: true;
  /** An act of this kind follows each act of the persons. */
  often?: Act['kind'];
  /** The number of items of a library whose lists are empty for a third of the time, with counts that agree. */
  emptyLists?: number;
  /** What happens in its scenarios; absent: what the seed determines. */
  story?: GuardStory;
}
