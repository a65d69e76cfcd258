import { z } from 'zod';
import { type MembersChange, membersChangeSchema } from '../../../shared/contract/admin/members-import.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { type FactMembership, isSameSubject } from '../../../shared/model/access/access-facts.ts';
import { memberKeyOf, membersTable, planMembersImport } from '../../../shared/model/access/members-import.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Directories } from './directories.ts';
import { type Directory, membershipsIn } from './directory.ts';
import type { ImportMemory } from './import-memory.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';

type ImportCall = `admin.${'membersTable' | 'planMembers' | 'applyMembers'}`;

/** The number of changes whose collections are read together. */
const READ_AHEAD = 100;

const membersStepSchema = z.object({ index: z.number(), change: membersChangeSchema, name: z.string() });
type MembersStep = z.output<typeof membersStepSchema>;

/** The calls that read and write memberships as tables. Each change is that of the window: with its checks, and in the log. */
export function membersImportHandlers(
  { directories, memory, jobs }: { directories: Directories; memory: ImportMemory; jobs: AdminJobs },
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

  /** Whether a role has been given already, by a run that was killed before it could note that. Such a role is not remembered. */
  async function isMade(siteId: string, change: MembersChange): Promise<boolean> {
    if (change.kind === 'remove') return false;
    return membershipOf(await directories.of(siteId), change)?.roleId === change.roleId;
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
      siteId,
      ...membership,
      ...(present === null ? {} : { membershipId: present.membershipId }),
    });
    const made = membershipOf(await directories.of(siteId), change);
    if (made === undefined || (present !== null && !isOwn)) return;
    await memory.note(siteId, source, true, { ...membership, membershipId: made.id });
  }

  const applying: AdminJobDefinition<MembersStep, { source: string }, null> = {
    kind: 'importMembers',
    step: membersStepSchema,
    note: z.object({ source: z.string() }),
    nameOf: ({ change, name }) => ({ id: change.subject.id, name }),
    savedAs: () => '',
    async open({ siteId, note: { source }, steps }) {
      const own = new Set((await memory.read(siteId, source)).map(memberKeyOf));
      const readNext = async (from: number) => {
        const next = steps.slice(from, from + READ_AHEAD).map((step) => step.change);
        const { skipped } = await readPlaces(siteId, next);
        // An entry that can't be read may be the present role of a row.
        if (skipped > 0) throw appError('admin.unreadable', { details: { entries: skipped } });
      };
      await readNext(0);
      let made = 0;
      return {
        async run({ change }) {
          if (made > 0 && made % READ_AHEAD === 0) await readNext(made);
          made += 1;
          if (await isMade(siteId, change)) return;
          await make(siteId, source, change, own.has(memberKeyOf(change)));
        },
        end: async () => null,
      };
    },
  };
  jobs.register(applying);

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
      const steps = changes.map(({ change, name }, index) => ({ index, change, name }));
      const { failed } = await jobs.start(siteId, applying, { subject: source, note: { source }, steps });
      return { failed: failed.map(({ step: { index }, error }) => ({ index, error })) };
    },
  };
}

function membershipOf(
  { memberships }: Directory,
  { collectionId, subject }: Pick<FactMembership, 'collectionId' | 'subject'>,
): FactMembership | undefined {
  return memberships.get(collectionId)?.find((each) => isSameSubject(each.subject, subject));
}
