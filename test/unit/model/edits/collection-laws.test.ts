import { it } from 'vitest';
import { COLLECTION_LAWS } from '../../../laws/collection-laws.ts';

it.each(COLLECTION_LAWS.map(({ name, check }) => [name, check] as const))('%s', (_, check) => {
  check(1000);
});
