import { describe, expect, test } from 'vitest';
import { type Answer, clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make } from '../../../helpers/service/service-people.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);

const MANY = Array.from({ length: 60 }, (_, index) => `Many ${index + 10}`);
/** In the order of the lists: letters outside ASCII are after all others, equal names in the order of their creation. */
const NAMES = ['apple', 'Apple', ...MANY, 'zebra', 'Zulu', 'Älter'];

describe.each([
  ['groups', NAMES, (display_name: string) => ({ display_name })],
  ['roles', NAMES, (display_name: string) => ({ display_name, permissions: [] })],
  ['users', NAMES, (last_name: string) => ({ first_name: 'P', last_name })],
  // No two tags have the same name in different letter case.
  ['tags', NAMES.filter((name) => name !== 'Apple'), (display_name: string) => ({ display_name })],
] as const)('the list of %s', (resource, names, fields) => {
  const namesIn = ({ body }: Answer): string[] =>
    body.items.map((item: { display_name: string }) => item.display_name.replace(/^P /, ''));

  test('contains all of them, by name in any letter case, with self as its only link', async () => {
    for (const name of ['Zulu', 'Älter', 'zebra', 'apple', 'Apple', ...MANY.toReversed()]) {
      if (names.includes(name)) await make(admin, resource, fields(name));
    }
    const answer = await admin.get(`/api2/${resource}`);
    expect(answer.body.links).toEqual({ self: `/api2/${resource}` });
    expect(namesIn(answer).filter((name) => names.includes(name))).toEqual(names);
  });

  test('is in pages when per_page is given', async () => {
    const all = namesIn(await admin.get(`/api2/${resource}`));
    const walked: string[] = [];
    for (let next: string | null = `/api2/${resource}?per_page=20`; next; ) {
      const page: Answer = await admin.get(next);
      expect(page.body.items.length).toBeLessThanOrEqual(20);
      walked.push(...namesIn(page));
      next = page.body.links.next;
    }
    expect(walked).toEqual(all);
  });
});
