import type { Engine } from '../../../electron/engine/engine.ts';
import type { BulkChange, EditGroup } from '../../../shared/contract/edits.ts';
import { mediaQuerySchema } from '../../../shared/contract/library.ts';
import { clientWith } from '../../helpers/service/service-client.ts';
import { signIn } from '../../helpers/service/service-sign-in.ts';
import type { Job } from './job.ts';

/** The items that this part edits, by title. */
export const EDITED_ITEMS = { asked: 'asks the user', left: 'is left alone' };
const LABEL = 'all of them';
const DROPPED = 'dropped';
const MINE = 'Ada Lovelace';
/** The byline that a colleague writes before the first edit, which is dropped. */
const EARLIER = 'Rosalind Franklin';
/** The bylines that a colleague writes before the edit is sent, and before it is undone. */
const THEIRS = { asked: 'Grace Hopper', left: 'Mary Somerville' };

/**
 * Edits two items that a colleague changed meanwhile, and drops these edits. Then edits all items of the collection at once,
 * answers a question about what a colleague changed meanwhile, and undoes the edit; the undo leaves alone what the colleague
 * changed after it. After a crash, continues what is there. Throws when the library then has other values.
 */
export async function editInBulk(engine: Engine, { site, collectionId }: Job, siteId: string): Promise<void> {
  const groups = async () =>
    (await engine.call('edits.groups', { siteId, isOpen: false, offset: 0, limit: 200 })).groups;
  const undoOf = async (id: string) => (await groups()).find(({ undoes }) => undoes === id);
  let group: EditGroup | null =
    (await groups()).find(({ label, undoes }) => label === LABEL && undoes === null) ?? null;
  if (group !== null && (await undoOf(group.id))?.endedAt != null) return;

  const colleague = clientWith(site, await signIn(site));
  const query = mediaQuerySchema.parse({ siteId, collectionId });
  const { rows } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 10 });
  const idOf = (title: string) => rows.find((row) => row.title === title)?.id ?? '';
  const write = async (title: string, byline: string) => {
    const { status } = await colleague.post(`/api2/media/${idOf(title)}`, { byline });
    if (status !== 200) throw new Error(`the colleague could not edit “${title}”: ${status}`);
  };
  const ids = Object.values(EDITED_ITEMS).map(idOf);
  let dropped: EditGroup | null = (await groups()).find(({ label }) => label === DROPPED) ?? null;
  if (dropped === null) {
    const change: BulkChange = { byline: { kind: 'set', value: MINE } };
    const selection = { siteId, ids };
    const { planId } = await engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: 100 });
    for (const title of Object.values(EDITED_ITEMS)) {
      // An earlier process may have written this byline before it stored the edit: then another one is written.
      const { body } = await colleague.get(`/api2/media/${idOf(title)}`);
      await write(title, body.byline === EARLIER ? `${EARLIER}, PhD` : EARLIER);
    }
    dropped = (await engine.call('edits.apply', { planId, except: [], label: DROPPED })).group;
  }
  engine.startEdits();
  await engine.whenEditsIdle();
  await engine.call('edits.drop', { groupId: dropped?.id ?? '', filter: 'open' });
  const after = await engine.call('edits.group', { groupId: dropped?.id ?? '' });
  if (after.counts.dropped !== ids.length) throw new Error(`not dropped: ${JSON.stringify(after.counts)}`);
  if (group === null) {
    const change: BulkChange = {
      byline: { kind: 'set', value: MINE },
      tags: { kind: 'change', add: ['edited'], remove: ['torture'] },
    };
    const selection = { siteId, query, except: [] };
    const { planId } = await engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: 100 });
    await write(EDITED_ITEMS.asked, THEIRS.asked);
    group = (await engine.call('edits.apply', { planId, except: [], label: LABEL })).group;
    if (group === null) throw new Error('the bulk edit changes nothing');
  }
  engine.startEdits();
  await engine.whenEditsIdle();
  if (group.undoneAt === null) {
    const asking = { groupId: group.id, filter: 'conflict' as const };
    await engine.call('edits.resolve', { rows: asking, field: null, choice: { kind: 'mine' } });
    await engine.whenEditsIdle();
    await write(EDITED_ITEMS.left, THEIRS.left);
    await engine.call('edits.undo', { groupId: group.id });
  }
  const { id } = group;
  await untilEdits(engine, async () => (await undoOf(id))?.endedAt != null);

  for (const [which, title] of Object.entries(EDITED_ITEMS)) {
    const { body } = await colleague.get(`/api2/media/${idOf(title)}`);
    const found = JSON.stringify([body.byline, body.tags]);
    const wanted = JSON.stringify([THEIRS[which as keyof typeof THEIRS], ['torture']]);
    if (found !== wanted) throw new Error(`“${title}” has ${found} after the undo, not ${wanted}`);
  }
}

/** Resolves when the condition is met, which is checked with every change of the edits. */
async function untilEdits(engine: Engine, isMet: () => Promise<boolean>): Promise<void> {
  let wake = () => {};
  const dispose = engine.on('onDidChangeEdits', () => wake());
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (await isMet()) break;
    await changed;
  }
  dispose();
}
