import type { World } from '../world/world.ts';
import type { SectionId } from './sections.ts';

/** One statement of the API, and the requests that test it. */
export interface Case {
  /** Unique: the section, a dot, and a name. */
  id: string;
  section: SectionId;
  /** The statement of the API, as a sentence. */
  name: string;
  /**
   * Resolves when the statement is true for the server; throws a `Failure` when it is not, and a `Skip` when it can't be tested.
   */
  run(world: World): Promise<void>;
}

export type AddCase = (id: string, name: string, run: (world: World) => Promise<void>) => void;

/** The cases of one section, in the order in which they are added. */
export function casesOf(section: SectionId, add: (it: AddCase) => void): Case[] {
  const cases: Case[] = [];
  add((id, name, run) => void cases.push({ id: `${section}.${id}`, section, name, run }));
  return cases;
}
