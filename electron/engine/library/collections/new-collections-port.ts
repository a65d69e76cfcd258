/**
 * The state of a collection that was created on this computer:
 * - `created`     the library has it
 * - `waiting`     it is going to be created
 * - `not-created` the library refused it, or the user dropped it
 */
export type NewCollection =
  | { kind: 'created'; id: string }
  | { kind: 'waiting'; name: string }
  | { kind: 'not-created'; name: string; reason: string | null };

/** The collections that were created on this computer, for uploads into them. */
export interface NewCollections {
  /** `localId`: see `isLocalId`. An unknown id was never created. */
  stateOf(siteId: string, localId: string): NewCollection;
  /** Calls the listener when a collection was created, refused or dropped. */
  onDidChange(listener: (siteId: string) => void): () => void;
}
