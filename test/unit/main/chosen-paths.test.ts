import { expect, it } from 'vitest';
import type { Engine } from '../../../electron/engine/engine.ts';
import { createChosenPaths } from '../../../electron/main/chosen-paths.ts';
import { routeCalls } from '../../../electron/main/engine-bridge.ts';
import type { ShellCalls } from '../../../electron/main/shell-calls.ts';

/** Routes calls to an engine that records the names of those which reach it. */
function route() {
  const reached: string[] = [];
  const engine = { call: async (name: string) => void reached.push(name) } as unknown as Engine;
  const chosen = createChosenPaths();
  const handle = routeCalls(Promise.resolve(engine), {} as ShellCalls, chosen) as (
    name: string,
    input: unknown,
  ) => Promise<unknown>;
  return { reached, chosen, handle };
}

it.each([
  ['manifest.export', 'path'],
  ['manifest.saveErrors', 'path'],
  ['downloads.start', 'folder'],
])('%s writes only to a place that a dialog returned, once', async (name, field) => {
  const { reached, chosen, handle } = route();
  await expect(handle(name, { [field]: '/home/ada/.bashrc.csv' })).rejects.toMatchObject({ code: 'input.invalid' });
  chosen.add('/home/ada/items.csv');
  await expect(handle(name, { [field]: '/home/ada/other.csv' })).rejects.toMatchObject({ code: 'input.invalid' });
  await expect(handle(name, {})).rejects.toMatchObject({ code: 'input.invalid' });
  expect(reached).toEqual([]);
  await handle(name, { [field]: '/home/ada/items.csv' });
  expect(reached).toEqual([name]);
  await expect(handle(name, { [field]: '/home/ada/items.csv' })).rejects.toMatchObject({ code: 'input.invalid' });
});

it('a cancelled dialog allows no place, and calls that write no file need none', async () => {
  const { reached, chosen, handle } = route();
  expect(chosen.add(null)).toBeNull();
  await handle('sites.list', null);
  expect(reached).toEqual(['sites.list']);
});
