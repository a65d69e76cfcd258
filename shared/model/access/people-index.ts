import type { Person } from '../../contract/admin/people.ts';
import { groupedBy } from '../grouped-by.ts';

/** Users by their ids, and by their e-mail addresses and unique ids. */
export interface PeopleIndex {
  byId: ReadonlyMap<string, Person>;
  byKey: ReadonlyMap<string, readonly Person[]>;
}

export function peopleIndex(people: readonly Person[]): PeopleIndex {
  const keyed = people.flatMap((person) =>
    [...new Set([keyOf(person.email), keyOf(person.uniqueId)])].filter(Boolean).map((key) => ({ key, person })),
  );
  const byKey = groupedBy(keyed, ({ key }) => key);
  return {
    byId: new Map(people.map((person) => [person.id, person])),
    byKey: new Map([...byKey].map(([key, entries]) => [key, entries.map(({ person }) => person)])),
  };
}

/** Returns the user of a row: the one with the id, otherwise the one with the e-mail address or unique id; or why there is none. */
export function personOfRow({ byId, byKey }: PeopleIndex, id: string, key: string): Person | { reason: string } {
  const matches = byKey.get(keyOf(key)) ?? [];
  if (id !== '') {
    const person = byId.get(id);
    if (person === undefined) return { reason: `the library has no user with the ID ${id}` };
    // A name that was edited beside an id is a wish that the id would hide.
    const isNamed = key === '' || matches.includes(person);
    return isNamed ? person : { reason: `the user with the ID ${id} is not “${key}”: correct one of them` };
  }
  const [person, another] = matches;
  if (person === undefined) return { reason: `the library has no user “${key}”` };
  if (another === undefined) return person;
  return { reason: `several users match “${key}”: ${matches.map((each) => each.id).join(', ')}` };
}

const keyOf = (text: string) => text.normalize('NFC').trim().toLowerCase();
