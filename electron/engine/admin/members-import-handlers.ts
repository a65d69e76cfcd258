import type { MembersChange } from '../../../shared/contract/admin/members-import.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { type FactMembership, isSameSubject } from '../../../shared/model/access/access-facts.ts';
import { keyOf, membersTable, planMembersImport } from '../../../shared/model/access/members-import.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Directories } from './directories.ts';
import { type Directory, membershipsIn } from './directory.ts';
import type { ImportMemory } from './import-memory.ts';
import { changeEach } from './outcome.ts';

type ImportCall = `admin.${'membersTable' | 'planMembers' | 'applyMembers'}`;

/** The calls that read and write memberships as tables. Each change is that of the window: with its checks, and in the log. */
export function membersImportHandlers(
  { directories, memory }: { directories: Directories; memory: ImportMemory },
  access: Pick<Handlers, 'access.set' | 'access.remove'>,
): Pick<Handlers, ImportCall> {
  /** Reads the memberships of the collections of some changes again: their plan may be minutes old. */
  async function readPlaces(siteId: string, changes: readonly MembersChange[]): Promise<Directory> {
    for (const collectionId of new Set(changes.map((change) => change.collectionId))) {
      const memberships = await membershipsIn(directories.clientFor(siteId), collectionId);
      directories.learn(siteId, (known) => known.memberships.set(collectionId, memberships));
    }
    return directories.of(siteId);
  }

  /** Makes a change, then remembers it: a membership that is not remembered is never removed by an import. */
  async function make(siteId: string, source: string, change: MembersChange, isOwn: boolean): Promise<void> {
    const { collectionId, subject, roleId } = change;
    const membership = { collectionId, subject, roleId };
    if (change.kind === 'remove') {
      const { membershipId } = change;
      await access['access.remove']({ siteId, ...membership, membershipId });
      await memory.note(siteId, source, false, { ...membership, membershipId });
      return;
    }
    const { present } = change;
    const now = membershipOf(await directories.of(siteId), change);
    if (now?.id !== present?.membershipId || now?.roleId !== present?.roleId) {
      throw appError('admin.membership-changed', { details: { collectionId, subject: subject.id } });
    }
    await access['access.set']({
      ...{ siteId, ...membership },
      ...(present === null ? {} : { membershipId: present.membershipId }),
    });
    const made = membershipOf(await directories.of(siteId), change);
    if (made === undefined || (present !== null && !isOwn)) return;
    await memory.note(siteId, source, true, { ...membership, membershipId: made.id });
  }

  return {
    async 'admin.membersTable'({ siteId }) {
      const directory = await directories.of(siteId, true);
      return { rows: [...membersTable(directory)], skipped: directory.skipped };
    },

    async 'admin.planMembers'({ siteId, source, rows }) {
      const directory = await directories.of(siteId, true);
      const plan = planMembersImport(rows, directory, await memory.read(siteId, source));
      return { plan, skipped: directory.skipped };
    },

    async 'admin.applyMembers'({ siteId, source, changes }) {
      const { skipped } = await readPlaces(siteId, changes);
      // An entry that can't be read may be the present role of a row.
      if (skipped > 0) throw appError('admin.unreadable', { details: { entries: skipped } });
      const own = new Set((await memory.read(siteId, source)).map(keyOf));
      const { failed } = await changeEach([...changes.keys()], async (index) => {
        const change = changes[index];
        if (change !== undefined) await make(siteId, source, change, own.has(keyOf(change)));
      });
      return { failed: failed.map(({ entry: index, error }) => ({ index, error })) };
    },
  };
}

function membershipOf(
  { memberships }: Directory,
  { collectionId, subject }: Pick<FactMembership, 'collectionId' | 'subject'>,
): FactMembership | undefined {
  return memberships.get(collectionId)?.find((each) => isSameSubject(each.subject, subject));
}
