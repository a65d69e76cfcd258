import type { MembersChange } from '../../../shared/contract/admin/members-import.ts';
import { keyOf, membersTable, planMembersImport } from '../../../shared/model/access/members-import.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Directories } from './directories.ts';
import type { ImportMemory } from './import-memory.ts';
import { changeEach } from './outcome.ts';

type ImportCall = `admin.${'membersTable' | 'planMembers' | 'applyMembers'}`;

/** The calls that read and write memberships as tables. Each change is that of the window: with its checks, and in the log. */
export function membersImportHandlers(
  { directories, memory }: { directories: Directories; memory: ImportMemory },
  access: Pick<Handlers, 'access.set' | 'access.remove'>,
): Pick<Handlers, ImportCall> {
  /** Makes a change, then remembers it: a membership that is not remembered is never removed by an import. */
  async function make(siteId: string, source: string, change: MembersChange, isOwn: boolean): Promise<void> {
    const { kind, membershipId, ...membership } = change;
    if (kind === 'remove') {
      await access['access.remove']({ siteId, ...membership, membershipId });
      await memory.note(siteId, source, false, membership);
      return;
    }
    await access['access.set']({ siteId, ...membership, ...(membershipId === null ? {} : { membershipId }) });
    if (membershipId === null || isOwn) await memory.note(siteId, source, true, membership);
  }

  return {
    async 'admin.membersTable'({ siteId }) {
      return { rows: [...membersTable(await directories.of(siteId, true))] };
    },

    async 'admin.planMembers'({ siteId, source, rows }) {
      const directory = await directories.of(siteId, true);
      return { plan: planMembersImport(rows, directory, await memory.read(siteId, source)) };
    },

    async 'admin.applyMembers'({ siteId, source, changes }) {
      const own = new Set((await memory.read(siteId, source)).map(keyOf));
      const { failed } = await changeEach([...changes.keys()], async (index) => {
        const change = changes[index];
        if (change !== undefined) await make(siteId, source, change, own.has(keyOf(change)));
      });
      return { failed: failed.map(({ entry: index, error }) => ({ index, error })) };
    },
  };
}
