import { at, type JsonObject } from '../http/answer.ts';
import type { World } from '../world/world.ts';
import type { AddCase } from './case.ts';
import { check, show, type Type } from './expect.ts';

/** Fields by dotted name, such as `links.self`: each has its type, and its meaning if the name is not sufficient. */
export type Fields = Readonly<Record<string, Type | readonly [Type, string]>>;

/**
 * One case for each field of a resource: it is present (null instead of absent) and has its type. `subject` is called
 * for each case, and should cache the resource.
 */
export function fieldCases(
  it: AddCase,
  resource: string,
  subject: (world: World) => Promise<JsonObject>,
  fields: Fields,
  suffix = '',
): void {
  for (const [name, field] of Object.entries(fields)) {
    const [type, note] = 'holds' in field ? [field, ''] : field;
    const id = `${name.replaceAll('.', '-').replaceAll('_', '-')}${suffix}`;
    it(id, `${name} of ${resource} is ${type.name}${note === '' ? '' : `: ${note}`}`, async (world) => {
      const value = at(await subject(world), name);
      check(value !== undefined, `${name} is left out.`);
      check(type.holds(value), `${name} is ${show(value)} and not ${type.name}.`);
    });
  }
}
