import { MAX_ADMIN_LINE } from '../../../shared/model/access/admin-limits.ts';
import { readNewName, readRenaming } from '../arguments/names.ts';
import { currentSite, type EngineContext } from '../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../command-base/define-engine-command.ts';
import { reportCreated, reportRenamed } from './admin-outcome.ts';
import { findNamed } from './find-named.ts';

type Engine = EngineContext['engine'];

interface Entry {
  id: string;
  name: string;
}

interface Kind<E extends Entry> {
  one: 'group' | 'tag';
  all(engine: Engine, siteId: string): Promise<readonly E[]>;
  create(engine: Engine, input: { siteId: string; name: string }): Promise<Entry>;
  rename(engine: Engine, input: { siteId: string; id: string; name: string }): Promise<Entry>;
}

/** Returns the commands that create and rename entries which have only a name. `summaries`: of both, in this order. */
export function namedCommands<E extends Entry>(kind: Kind<E>, [creation, renaming]: readonly [string, string]) {
  const { one } = kind;
  const create = defineEngineCommand({
    name: `admin ${one}s create`,
    operands: 'NAME',
    summary: creation,
    options: {},
    read: (_values, operands) => ({ name: readNewName(operands, MAX_ADMIN_LINE) }),
    interruptedText: CHANGING_INTERRUPTED,
    async run(context, { name }) {
      const { engine, output } = context;
      const { id: siteId } = await currentSite(context);
      return reportCreated(output, one, await kind.create(engine, { siteId, name }));
    },
  });
  const rename = defineEngineCommand({
    name: `admin ${one}s rename`,
    operands: `${one.toUpperCase()} NAME`,
    summary: renaming,
    options: {},
    read: (_values, operands) =>
      readRenaming(operands, { missing: `Enter the ${one} and its new name.`, most: MAX_ADMIN_LINE }),
    interruptedText: CHANGING_INTERRUPTED,
    async run(context, { ref, name }) {
      const { engine, output } = context;
      const { id: siteId } = await currentSite(context);
      const before = findNamed(await kind.all(engine, siteId), one, ref);
      return reportRenamed(output, one, before, await kind.rename(engine, { siteId, id: before.id, name }));
    },
  });
  return { create, rename };
}
