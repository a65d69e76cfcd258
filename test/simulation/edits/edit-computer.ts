import { rmSync } from 'node:fs';
import { getMedia } from '../../../electron/engine/api/media.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { BulkChange, EditChoice, EditRow } from '../../../shared/contract/edits.ts';
import { noItemFields } from '../../../shared/item/fields.ts';
import { type EditableMedia, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { offeredItems } from '../../../shared/model/offered-items.ts';
import { tellsOfStore } from '../world/tamper.ts';
import type { Life } from '../world/virtual-time.ts';
import { changeOf, everythingOf, selectionOf, TEXTS } from './act-input.ts';
import { ClientDatabase, Gone } from './client-database.ts';
import { actOnCollections, pickedOf, shownCollections } from './collection-person.ts';
import { WATCHED } from './edit-history.ts';
import { EditProgram } from './edit-program.ts';
import { type Act, COMPUTERS, type Computer, isAboutCollections, OTHER_SITE } from './edit-scenario.ts';
import type { EditWorld } from './edit-world.ts';

const RESTART_WITHIN_MS = 60_000;

/** One computer: the runs of the program, one after the other, and the person who uses it. */
export class EditComputer {
  readonly name: Computer;
  readonly sites: readonly string[];
  readonly #world: EditWorld;
  readonly #real: Database;
  readonly #database: ClientDatabase;
  readonly #profileDir: string;
  #life: Life;
  #program: EditProgram | null = null;
  #isStarting = false;
  /** The number of commands that wait for the program. */
  #commands = 0;

  constructor(world: EditWorld, name: Computer, real: Database, profileDir: string) {
    this.#world = world;
    this.name = name;
    this.#real = real;
    this.#profileDir = profileDir;
    this.sites = name === COMPUTERS[0] && world.scenario.hasOtherSite ? [name, OTHER_SITE] : [name];
    const hasPowerCuts = world.scenario.acts.some(({ by, kind }) => by === name && kind === 'power-cut');
    this.#database = new ClientDatabase(real, world.time, world.prng, hasPowerCuts);
    this.#life = { number: -1, alive: false };
    this.start();
  }

  get database(): Database {
    return this.#real;
  }

  /** The program that takes commands now; null while none does. */
  get program(): EditProgram | null {
    return this.#life.alive && this.#program?.isOpen === true ? this.#program : null;
  }

  /** The number of the present run. */
  get life(): number {
    return this.#life.number;
  }

  get isBusy(): boolean {
    return this.#commands > 0;
  }

  start(): void {
    this.#isStarting = false;
    if (this.#life.alive) return;
    const { history, time } = this.#world;
    this.#life = { number: history.lives.length, alive: true };
    history.lives.push({ number: this.#life.number, site: this.name, fromMs: time.elapsedMs, toMs: null });
    const parts = { world: this.#world, database: this.#database, profileDir: this.#profileDir, sites: this.sites };
    try {
      this.#program = new EditProgram(parts, this.#life);
      void this.#program.start().catch((error) => this.#noteFailure('start', error));
    } catch (error) {
      this.#noteFailure('start', error);
      // The disk is full: the person starts the program again.
      this.#life.alive = false;
    }
  }

  /** Starts the program again after it died. */
  afterStep(): void {
    if (this.#life.alive || this.#isStarting) return;
    this.#close();
    this.#isStarting = true;
    this.#world.time.after(this.#world.prng.spread(1, RESTART_WITHIN_MS), null, () => this.start());
  }

  /** Ends the program now; it stays closed until `start`. */
  turnOff(): void {
    this.#isStarting = true;
    this.#life.alive = false;
    this.#close();
  }

  dispose(): void {
    this.turnOff();
    this.#database.dispose();
    rmSync(this.#profileDir, { recursive: true, force: true });
  }

  /** Ends failures of writes, and planned crashes. */
  calm(): void {
    this.#database.fullUntilMs = 0;
    this.#database.crashAtWrite(Number.POSITIVE_INFINITY, false);
  }

  act(act: Act): void {
    const { time, prng } = this.#world;
    switch (act.kind) {
      case 'crash':
        this.#life.alive = false;
        return;
      case 'crash-at-write':
        this.#database.crashAtWrite(act.writes ?? 1 + (act.value % 12), act.value % 2 === 0);
        return;
      case 'power-cut':
        this.#life.alive = false;
        this.#database.cutPower();
        return;
      case 'store-full':
        this.#database.fullUntilMs = time.elapsedMs + prng.spread(100, 60_000);
        return;
      case 'clock-jump':
        time.wallOffsetMs = prng.int(-3 * 3_600_000, 3 * 3_600_000);
        return;
      case 'restart': {
        const [program, life] = [this.program, this.#life];
        if (program === null) return;
        this.#ask(async () => {
          program.isOpen = false;
          await program.stop();
          life.alive = false;
        });
        return;
      }
      default:
        this.#command(act);
    }
  }

  /** Sends what waits for a backoff at once. */
  hurry(): void {
    const program = this.program;
    if (program === null) return;
    this.#ask(() => program.edits.handlers['edits.retry']({ groupId: null, filter: 'pending' }));
  }

  /** The person decides about everything that waits for a decision. */
  decideAll(round: number): void {
    const program = this.program;
    if (program === null) return;
    this.#ask(async () => {
      for (const row of await this.#rows(program)) await this.#decide(program, row, round);
    });
  }

  #command(act: Act): void {
    const program = this.program;
    if (program === null) return;
    const site = act.isOther === true && this.sites.length > 1 ? OTHER_SITE : this.name;
    this.#ask(() => this.#doCommand(program, site, act));
  }

  async #doCommand(program: EditProgram, site: string, act: Act): Promise<void> {
    const { edits, mirrorSync } = program;
    switch (act.kind) {
      case 'edit-one':
      case 'open': {
        const item = this.#shown(program, site, act);
        if (item === null) return;
        if (act.kind === 'open') {
          const since = mirrorSync.mirrors.readMoment(site);
          const read = mirrorSync.mirrors.put(site, await getMedia(program.clientFor(site), item.id), since);
          edits.ofLibrary.noteSeen(site, read);
          this.#world.noteSeen(site, editableOf(read));
          return;
        }
        this.#world.noteSeen(site, item);
        const isExpected = act.value % 2 === 0;
        await edits.ofLibrary.editItem(site, item.id, changeOf('edit', act, item.id), isExpected ? item : {});
        return;
      }
      case 'into-collection': {
        const to = pickedOf(await shownCollections(program, site), { ...act, pick: act.value });
        if (to !== undefined) await this.#plan(program, site, act, { collectionId: to.id });
        return;
      }
      case 'sync':
        await mirrorSync.syncs.syncNow(site, { removesHidden: act.value % 2 === 0 });
        return;
      case 'undo':
      case 'redo':
      case 'restore':
      case 'retry':
      case 'drop':
      case 'resolve':
        await this.#doDecision(program, site, act);
        return;
      default:
        if (!isAboutCollections(act)) return this.#plan(program, site, act);
        await actOnCollections(act, {
          world: this.#world,
          program,
          site,
          noteAccepted: (groupId, items) => this.#noteAccepted(site, groupId, items),
          noteDeleted: (id) => this.#noteDecision(site, -1, `collection ${id}`, '*', 'delete'),
        });
    }
  }

  /** The person decides something about edits. */
  async #doDecision(program: EditProgram, site: string, act: Act): Promise<void> {
    const { edits } = program;
    switch (act.kind) {
      case 'undo': {
        const { groups } = await edits.handlers['edits.groups']({ siteId: site, isOpen: false, offset: 0, limit: 6 });
        const group = groups[act.pick % Math.max(1, groups.length)];
        if (group === undefined) return;
        for (const { seq, subject } of this.#recordsOf(group.id)) this.#noteDecision(site, seq, subject, '*', 'undo');
        const { group: undoing } = await edits.handlers['edits.undo']({ groupId: group.id });
        if (undoing !== null) this.#noteAccepted(site, undoing.id, undoing.items);
        return;
      }
      case 'redo': {
        const { groups } = await edits.handlers['edits.groups']({ siteId: site, isOpen: false, offset: 0, limit: 20 });
        const undone = groups.filter(({ canRedo }) => canRedo);
        const group = undone[act.pick % Math.max(1, undone.length)];
        if (group === undefined) return;
        for (const { seq, subject } of this.#recordsOf(group.undoneBy ?? group.id))
          this.#noteDecision(site, seq, subject, '*', 'redo');
        const { group: redoing } = await edits.handlers['edits.redo']({ groupId: group.id });
        if (redoing !== null) this.#noteAccepted(site, redoing.id, redoing.items);
        return;
      }
      case 'restore': {
        await this.#restoreFirst(program);
        return;
      }
      case 'retry':
        await this.#retryAll(program);
        return;
      default: {
        const rows = await this.#rows(program);
        const row = rows[act.pick % Math.max(1, rows.length)];
        if (row === undefined) return;
        if (act.kind === 'resolve') await this.#decide(program, row, act.value);
        else await this.#drop(program, row);
        return;
      }
    }
  }

  /** Plans a change of one item or several, and applies what the review showed. */
  async #plan(program: EditProgram, site: string, act: Act, given?: BulkChange): Promise<void> {
    const { handlers } = program.edits;
    const ids = this.#world.libraryOf(site).ids;
    const first = this.#shown(program, site, act)?.id ?? ids[act.pick % Math.max(1, ids.length)];
    if (first === undefined) return;
    const chosen = act.kind === 'edit-many' ? [...new Set([first, ...ids.slice(0, 1 + (act.value % 4))])] : [first];
    // Persons edit only what they see in a list.
    const truths = program.mirrorSync.mirrors.items(site, chosen);
    const change = given ?? changeOf(act.kind, act, first);
    const selection = selectionOf(site, act, chosen);
    const plan = await handlers['edits.plan']({ selection, change, planId: null, offset: 0, limit: 1000 });
    for (const row of plan.rows) {
      if (change.delete === true) this.#noteDeleted(program, site, row.entityId, truths.get(row.entityId));
      for (const { field, before } of row.changes) {
        const seen = itemWith(row.entityId, field, before);
        if (seen !== null) this.#world.noteSeen(site, seen, [watchedOf(field)]);
      }
    }
    // A deletion that is certain to be sent makes other decisions about the item unnecessary.
    if (change.delete === true) {
      for (const { entityId } of plan.rows) this.#noteDecision(site, -1, entityId, '*', 'delete');
    }
    const { group } = await handlers['edits.apply']({ planId: plan.planId, except: [], label: '' });
    if (group !== null) this.#noteAccepted(site, group.id, group.items);
  }

  /**
   * `before`: the item in the mirror when the plan began. An item that the mirror lacked was read by the plan; the mirror may
   * have it by now.
   */
  #noteDeleted(program: EditProgram, site: string, id: string, before: MediaItem | undefined): void {
    const truth = before ?? program.mirrorSync.mirrors.items(site, [id]).get(id);
    const read = before === undefined ? program.lastRead(site, id) : null;
    for (const item of [truth === undefined ? null : editableOf(truth), read])
      if (item !== null) this.#world.noteSeen(site, item);
  }

  async #decide(program: EditProgram, row: EditRow, how: number): Promise<void> {
    const { handlers } = program.edits;
    const asking = row.changes.filter(({ needsDecision }) => needsDecision);
    if (asking.length === 0) {
      if (row.error === null) this.#world.fault('reason', `record ${row.id} waits, and nothing says why`);
      // Refused: the person retries the edit for every third value of `how`, and drops it otherwise.
      if (how % 3 !== 0) return this.#drop(program, row);
      this.#noteRetry(row);
      await handlers['edits.retry']({ ids: [row.id] });
      return;
    }
    for (const change of asking) {
      const { field } = change;
      const choice = this.#choice(field, change.theirs, how);
      if (choice === null) {
        await this.#drop(program, row);
        return;
      }
      this.#noteShown(program, row, change);
      this.#noteDecision(row.siteId, Number(row.id), subjectOf(row), field, choice.kind);
      await this.#unlessFull(() => handlers['edits.resolve']({ rows: { ids: [row.id] }, field, choice }));
    }
  }

  /** The person sees what a question shows: that of a deletion shows what changed since they saw the item. */
  #noteShown(program: EditProgram, row: EditRow, { field, theirs, since }: EditRow['changes'][number]): void {
    if (row.entityKind === 'collection') {
      this.#world.noteSeenCollection(row.siteId, row.entityId, { [field]: String(theirs ?? '') });
    } else if (since !== undefined) {
      for (const changed of since) {
        const seen = itemWith(row.entityId, changed.field, changed.after);
        if (seen !== null) this.#world.noteSeen(row.siteId, seen, [watchedOf(changed.field)]);
      }
    } else {
      const item = this.#theirs(program, row, field, theirs);
      if (item !== null) this.#world.noteSeen(row.siteId, item, field === 'item' ? WATCHED : [watchedOf(field)]);
    }
  }

  /** Makes a decision. When a full disk prevents it, removes it from the history, because the same question stays. */
  async #unlessFull(decide: () => Promise<unknown>): Promise<void> {
    const { decisions } = this.#world.history;
    const decision = decisions.at(-1);
    try {
      await decide();
      if (decision !== undefined) decision.isStored = true;
    } catch (error) {
      const index = decision !== undefined && tellsOfStore(String(error)) ? decisions.indexOf(decision) : -1;
      if (index >= 0) decisions.splice(index, 1);
      throw error;
    }
  }

  /** The item with the value that the question shows. */
  #theirs(
    program: EditProgram,
    row: EditRow,
    field: string,
    theirs: EditRow['changes'][number]['theirs'],
  ): EditableMedia | null {
    if (field === 'item') {
      const item = program.mirrorSync.mirrors.items(row.siteId, [row.entityId]).get(row.entityId);
      return item === undefined ? null : editableOf(item);
    }
    return itemWith(row.entityId, field, theirs);
  }

  #choice(field: string, theirs: unknown, how: number): EditChoice | null {
    const isPassed = field === 'publication' && theirs === null;
    if (isPassed) {
      const at = new Date(this.#world.time.wallMs() + 30 * 86_400_000).toISOString();
      return ([{ kind: 'now' }, { kind: 'at', at }, null] as const)[how % 3] ?? null;
    }
    const isText = (TEXTS as readonly string[]).includes(field);
    if (isText && how % 4 === 3) return { kind: 'value', value: `decided ${how}` };
    return how % 2 === 0 ? { kind: 'mine' } : { kind: 'theirs' };
  }

  async #drop(program: EditProgram, row: EditRow): Promise<void> {
    this.#noteDecision(row.siteId, Number(row.id), subjectOf(row), '*', 'drop');
    await program.edits.handlers['edits.drop']({ ids: [row.id] });
  }

  async #retryAll(program: EditProgram): Promise<void> {
    for (const row of await this.#rows(program)) this.#noteRetry(row);
    await program.edits.handlers['edits.retry']({ groupId: null, filter: 'attention' });
  }

  /**
   * Notes that the person sends an edit once more: one that the library accepted but that was changed back, or a creation for
   * which none of the new collections with its name is the result.
   */
  #noteRetry(row: EditRow): void {
    if (row.state === 'refused' && /^edit\.(not-applied|creation-unclear)$/.test(row.error?.code ?? ''))
      this.#noteDecision(row.siteId, Number(row.id), subjectOf(row), '*', 'retry');
  }

  /** Creates again, in the first collection, what someone else deleted. */
  async #restoreFirst(program: EditProgram): Promise<void> {
    const row = (await this.#rows(program)).find(({ error }) => /-gone$/.test(error?.code ?? ''));
    if (row === undefined) return;
    this.#noteDecision(row.siteId, -1, subjectOf(row), '*', 'restore');
    const { handlers } = program.edits;
    const asked = { rowId: row.id, collectionId: '1' };
    try {
      await handlers['edits.restoreAsNew'](asked);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'edit.item-unclear') throw error;
      // The person looks at the items, and recognizes the one that this account created.
      const made = this.#world.history.effects.filter(({ by, field }) => by === row.siteId && field === 'item');
      const own = offeredItems({ error }).find(({ id }) => made.some(({ itemId }) => itemId === id));
      await handlers['edits.restoreAsNew']({ ...asked, created: own?.id ?? null });
    }
  }

  async #rows(program: EditProgram): Promise<EditRow[]> {
    const page = { groupId: null, filter: 'attention', entityId: null, offset: 0, limit: 100 } as const;
    return (await program.edits.handlers['edits.groupRows'](page)).rows;
  }

  #recordsOf(groupId: string): { seq: number; subject: string }[] {
    const sql = `SELECT edits.seq, entity_id, entity_kind FROM edits JOIN edit_groups ON edit_groups.seq = group_seq WHERE id = $groupId`;
    return this.#real
      .prepare(sql)
      .all({ groupId })
      .map(({ seq, entity_id: entityId, entity_kind: kind }) => ({
        seq: Number(seq),
        subject: subjectOf({ entityId: String(entityId), entityKind: String(kind) }),
      }));
  }

  /** An item as a list of this account shows it, with pending edits. */
  #shown(program: EditProgram, site: string, { pick }: Act): EditableMedia | null {
    const { mirrors } = program.mirrorSync;
    const ids = mirrors.ids(everythingOf(site), 1000) ?? [];
    const id = ids[pick % Math.max(1, ids.length)];
    const truth = id === undefined ? undefined : mirrors.items(site, [id]).get(id);
    if (truth === undefined) return null;
    const { item } = program.edits.ofLibrary.effective(site, truth);
    return item === null ? null : editableOf(item);
  }

  /** Sends a command. With a full disk, or without a connection, it throws, and the person may repeat it. */
  #ask(command: () => Promise<unknown>): void {
    const life = this.#life;
    this.#commands += 1;
    const end = () => {
      if (this.#life === life) this.#commands -= 1;
    };
    let running: Promise<unknown>;
    try {
      running = command();
    } catch (error) {
      running = Promise.reject(error);
    }
    running.then(end, (error) => {
      end();
      if (life.alive) this.#noteFailure('command', error);
    });
  }

  #noteFailure(event: string, error: unknown): void {
    if (error instanceof Gone || tellsOfStore(String(error)) || String(error).includes('the engine was stopped'))
      return;
    if (error instanceof AppError && error.code !== 'internal') return;
    this.#world.fault(event, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  #noteAccepted(site: string, groupId: string, items: number): void {
    this.#world.history.accepted.push({ atMs: this.#world.time.elapsedMs, site, groupId, items });
  }

  #noteDecision(site: string, seq: number, itemId: string, field: string, choice: string): void {
    const atMs = this.#world.time.elapsedMs;
    this.#world.history.decisions.push({ atMs, site, seq, itemId, field, choice, isStored: false });
  }

  #close(): void {
    const { history, time } = this.#world;
    const life = history.lives[this.#life.number];
    if (life !== undefined) life.toMs = time.elapsedMs;
    this.#commands = 0;
    this.#program?.close();
    this.#program = null;
  }
}

/** What a decision is about: items and collections can have equal ids. */
function subjectOf({ entityId, entityKind }: { entityId: string; entityKind: string }): string {
  return entityKind === 'collection' ? `collection ${entityId}` : entityId;
}

const BLANK: EditableMedia = { ...noItemFields(), id: '', collectionId: '', status: 'draft', publishOn: null };

/** An item with one shown value; null for values that no one has to see first. */
function itemWith(id: string, field: string, value: EditRow['changes'][number]['theirs']): EditableMedia | null {
  if (field === 'tags' || field === 'item' || value === null || Array.isArray(value)) return null;
  if (typeof value === 'boolean' || (typeof value === 'object' && 'collections' in value)) return null;
  if (typeof value === 'object') return { ...BLANK, id, ...value };
  return field === 'collection' ? { ...BLANK, id, collectionId: value } : { ...BLANK, id, [field]: value };
}

function watchedOf(field: string): (typeof WATCHED)[number] {
  return field === 'collection' ? 'collectionId' : (WATCHED.find((each) => each === field) ?? 'item');
}
