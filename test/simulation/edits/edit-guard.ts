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
  /** Acts of this kind follow each act of the persons. */
  often?: Act['kind'];
  /** For a third of the time lists are empty, and counts agree with them; the library has so many items. */
  emptyLists?: number;
  /** What happens in its seeds; not there: whatever the seed says. */
  story?: GuardStory;
}
