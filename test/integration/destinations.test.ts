// Real object stores and form receivers, if they are installed. The complete list: `npm run conformance --
// destinations`.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { STORES } from '../destinations/all.ts';
import { DESTINATION_CASES } from '../destinations/cases.ts';
import { FilesToSend } from '../destinations/sending.ts';
import type { Store } from '../destinations/store.ts';

describe.each(STORES)('$name', (kind) => {
  const missing = kind.missing();
  if (missing.length > 0) {
    it.skip(`is not installed here: ${missing.join(', ')} (Debian: ${kind.packages.join(' ')})`, () => {});
    return;
  }
  let store: Store;
  const files = new FilesToSend();
  beforeAll(async () => {
    store = await kind.start();
  }, 600_000);
  afterAll(async () => {
    files.remove();
    await store?.close();
  });
  for (const each of DESTINATION_CASES) {
    if (each.isHeavy || !each.appliesTo(kind)) continue;
    it(each.name, async () => void (await each.run({ kind, store, files })), 180_000);
  }
});
