import { setImmediate as nextTurn } from 'node:timers/promises';
import { PRIORITIES, type Priority } from '../../../../shared/model/uploads/priorities.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { lazily } from '../../store/lazily.ts';
import { Statements } from '../../store/statements.ts';

/** The lane of “send next” rows, before all priorities. The lanes of the priorities follow in their order. */
const NEXT_LANE = 0;

export function laneOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority) + 1;
}

/** Returns the priority of a lane. “Send next” rows count as high priority. */
export function priorityOf(lane: number): Priority {
  return PRIORITIES[Math.max(0, lane - 1)] ?? 'low';
}

/** The place of a row. Rows are ordered by lane, then by rank, then by their number (`seq`). */
export interface OrderPlace {
  id: string;
  seq: number;
  lane: number;
  rank: number;
}

/** Rows per transaction: few enough not to block other work noticeably. */
const CHUNK_ROWS = 200;
/** The number of ids that one query looks up. */
const LOOKED_UP = 1000;

/** States in which a row's place still matters to the queue. */
const ORDERED_STATES = "('queued', 'preparing', 'sending', 'finishing', 'waiting', 'paused', 'failed', 'cancelled')";

/**
 * The order of the queue. Ranks are numbers with gaps, so that a move writes only the moved rows. Large changes run in
 * portions, and each order command waits for the previous one. A command is confirmed when all of it is durable. If the process
 * ends before that, some rows have their new places and the others their old ones.
 */
export class UploadOrder {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #onDidWrite: () => void;
  #turn: Promise<unknown> = Promise.resolve();

  /** `onDidWrite`: called after each write, because cached rows may be outdated then. */
  constructor(database: Database, onDidWrite: () => void = () => {}) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#onDidWrite = onDidWrite;
  }

  /**
   * Moves rows in front of the row `before` (null: behind all), or directly behind the row `after`, in their current order.
   * Returns the number of moved rows.
   */
  move(ids: readonly string[], before: string | null, after?: string): Promise<number> {
    return this.#inTurn(async () => {
      const moving = await this.#places(ids);
      const moved = new Set(moving.map(({ id }) => id));
      const target = this.#placeFor(before, after);
      if (moving.length === 0 || target === undefined) return 0;
      // If the target is one of the moved rows, the first row behind it that is not moved is the target.
      const next = target === null ? null : this.#firstOutside(target, moved);
      const previous = this.#lastOutside(next, moved);
      const lanes = lanesBetween(moving, previous?.lane ?? NEXT_LANE, next?.lane ?? laneOf('low'));
      for (const lane of new Set(lanes)) {
        const part = moving.filter((_, index) => lanes[index] === lane);
        const after = previous?.lane === lane ? previous : null;
        const until = next?.lane === lane ? next : null;
        await this.#insert(part, lane, after, until);
      }
      return moving.length;
    });
  }

  /** Returns the row before which rows are moved; null: they go behind all. undefined when the named row does not exist. */
  #placeFor(before: string | null, after: string | undefined): OrderPlace | null | undefined {
    const named = after ?? before;
    if (named === null) return null;
    const target = this.#place(named);
    if (target === null) return undefined;
    return after === undefined ? target : this.#behind(target);
  }

  /** Moves rows in front of all others, also in front of the rows of earlier calls. Returns the number of moved rows. */
  sendNext(ids: readonly string[]): Promise<number> {
    return this.#inTurn(async () => {
      const moving = await this.#places(ids);
      const moved = new Set(moving.map(({ id }) => id));
      const first = this.#get('SELECT id, seq, lane, rank FROM uploads WHERE lane = 0 ORDER BY rank, seq LIMIT 1', {});
      await this.#insert(moving, NEXT_LANE, null, first === null ? null : this.#firstOutside(first, moved, NEXT_LANE));
      return moving.length;
    });
  }

  /**
   * Gives rows a priority. Rows that have it already keep their places; the others go to its end or, with `smallFirst`, to the
   * place of their size. Returns the number of moved rows.
   */
  setPriority(ids: readonly string[], priority: Priority, smallFirst: boolean): Promise<number> {
    return this.#inTurn(async () => {
      const lane = laneOf(priority);
      const moving = (await this.#places(ids)).filter((place) => place.lane !== lane);
      if (smallFirst) {
        await this.#write('lane = $lane, rank = size_bytes', moving, () => ({ lane }));
        return moving.length;
      }
      await this.#insert(moving, lane, this.#last(lane), null);
      return moving.length;
    });
  }

  /** Sorts all unsent rows by size, or by when they were added; “send next” rows keep their places. The user's order is lost. */
  arrange(by: 'size' | 'added'): Promise<void> {
    return this.#inTurn(async () => {
      const key = by === 'size' ? 'size_bytes' : 'seq';
      const sql = `SELECT seq FROM uploads NOT INDEXED WHERE seq > $after AND lane > 0 AND state IN ${ORDERED_STATES}
        AND rank <> ${key} ORDER BY seq LIMIT ${CHUNK_ROWS}`;
      for (let after = 0; ; await nextTurn()) {
        const rows = this.#statements.prepare(sql).all({ after });
        const to = rows.at(-1)?.seq;
        if (to === undefined) return;
        const arranged = this.#statements.prepare(
          `UPDATE uploads NOT INDEXED SET rank = ${key}
           WHERE seq > $after AND seq <= $to AND lane > 0 AND state IN ${ORDERED_STATES}`,
        );
        this.#portion(() => arranged.run({ after, to: Number(to) }));
        if (rows.length < CHUNK_ROWS) return;
        after = Number(to);
      }
    });
  }

  /** Returns the rank for a new row at the end of a lane. */
  endOf(lane: number): number {
    return (this.#last(lane)?.rank ?? 0) + 1;
  }

  /** Returns the ids of the rows of a batch, or of all, in one of `states`, in no particular order. */
  select(where: 'all' | { batchId: string }, states: readonly UploadState[]): string[] {
    const words = states.map((state) => `'${state}'`).join(', ');
    const batch = where === 'all' ? '' : 'batch_id = $batchId AND';
    // Selected as one value, because reading a hundred thousand result rows takes far longer than the query.
    const row = this.#statements
      .prepare(`SELECT json_group_array(id) AS ids FROM uploads WHERE ${batch} state IN (${words})`)
      .get(where === 'all' ? {} : { batchId: where.batchId });
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  /** Runs one order command after the other, also after a failed one. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      const result = await work();
      await this.#database.whenDurable();
      return result;
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Gives `moving` ranks between two neighbours of one lane; renumbers the lane first when there is no room between them. */
  async #insert(
    moving: readonly OrderPlace[],
    lane: number,
    after: OrderPlace | null,
    until: OrderPlace | null,
  ): Promise<void> {
    if (moving.length === 0) return;
    let ranks = ranksBetween(after?.rank ?? null, until?.rank ?? null, moving.length);
    if (ranks === null) {
      const room = this.#spread(lane, new Set(moving.map(({ id }) => id)));
      ranks = ranksBetween(room(after), room(until), moving.length);
    }
    const found = ranks ?? [];
    await this.#write('lane = $lane, rank = $rank', moving, (index) => ({ lane, rank: found[index] as number }));
  }

  async #write(
    set: string,
    places: readonly OrderPlace[],
    values: (index: number) => Record<string, SqlValue>,
  ): Promise<void> {
    const statement = this.#statements.prepare(`UPDATE uploads SET ${set} WHERE seq = $seq`);
    for (let from = 0; from < places.length; from += CHUNK_ROWS) {
      if (from > 0) await nextTurn();
      const part = places.slice(from, from + CHUNK_ROWS);
      this.#portion(() => {
        for (const [step, { seq }] of part.entries()) statement.run({ ...values(from + step), seq });
      });
    }
  }

  /** Runs one of many transactions: the command waits for the disk once, at its end. */
  #portion(work: () => void): void {
    try {
      lazily(this.#database, () => this.#database.transaction(work));
    } finally {
      this.#onDidWrite();
    }
  }

  /** Renumbers a lane, with room for `moving` before each row. Returns the function that returns the new rank of a place. */
  #spread(lane: number, moving: ReadonlySet<string>): (place: OrderPlace | null) => number | null {
    const gap = moving.size + 1;
    this.#statements
      .prepare(
        `UPDATE uploads SET rank = numbered.number * ${gap} FROM
         (SELECT seq AS row, row_number() OVER (ORDER BY rank, seq) AS number FROM uploads WHERE lane = $lane) AS numbered
       WHERE uploads.seq = numbered.row`,
      )
      .run({ lane });
    return (place) => (place === null ? null : (this.#place(place.id)?.rank ?? null));
  }

  /** Returns the places of rows, in the order of the queue; unknown ids are omitted. */
  async #places(ids: readonly string[]): Promise<OrderPlace[]> {
    const known = [...new Set(ids)];
    const places: OrderPlace[] = [];
    const statement = this.#statements.prepare(
      'SELECT id, seq, lane, rank FROM uploads WHERE id IN (SELECT value FROM json_each($ids))',
    );
    for (let from = 0; from < known.length; from += LOOKED_UP) {
      if (from > 0) await nextTurn();
      const part = JSON.stringify(known.slice(from, from + LOOKED_UP));
      for (const row of statement.all({ ids: part })) places.push(toPlace(row));
    }
    return places.sort((a, b) => a.lane - b.lane || a.rank - b.rank || a.seq - b.seq);
  }

  #place(id: string): OrderPlace | null {
    return this.#get('SELECT id, seq, lane, rank FROM uploads WHERE id = $id', { id });
  }

  #last(lane: number): OrderPlace | null {
    const sql = 'SELECT id, seq, lane, rank FROM uploads WHERE lane = $lane ORDER BY rank DESC, seq DESC LIMIT 1';
    return this.#get(sql, { lane });
  }

  /** Returns `from` or the first row behind it that is not in `moved`; null: there is none. */
  #firstOutside(from: OrderPlace, moved: ReadonlySet<string>, onlyLane: number | null = null): OrderPlace | null {
    const lane = onlyLane === null ? '' : `AND lane = ${onlyLane}`;
    const sql = `SELECT id, seq, lane, rank FROM uploads
      WHERE (lane, rank, seq) > ($lane, $rank, $seq) ${lane} ORDER BY lane, rank, seq LIMIT 1`;
    let place: OrderPlace | null = from;
    while (place !== null && moved.has(place.id)) place = this.#get(sql, placeOf(place));
    return place;
  }

  #behind(place: OrderPlace): OrderPlace | null {
    const sql = `SELECT id, seq, lane, rank FROM uploads
      WHERE (lane, rank, seq) > ($lane, $rank, $seq) ORDER BY lane, rank, seq LIMIT 1`;
    return this.#get(sql, placeOf(place));
  }

  /** Returns the last row in front of `next` (null: of all) that is not in `moved`; null: there is none. */
  #lastOutside(next: OrderPlace | null, moved: ReadonlySet<string>): OrderPlace | null {
    const columns = 'SELECT id, seq, lane, rank FROM uploads';
    const order = 'ORDER BY lane DESC, rank DESC, seq DESC LIMIT 1';
    const before = `${columns} WHERE (lane, rank, seq) < ($lane, $rank, $seq) ${order}`;
    let place = next === null ? this.#get(`${columns} ${order}`, {}) : this.#get(before, placeOf(next));
    while (place !== null && moved.has(place.id)) place = this.#get(before, placeOf(place));
    return place;
  }

  #get(sql: string, parameters: Record<string, SqlValue>): OrderPlace | null {
    const row = this.#statements.prepare(sql).get(parameters);
    return row === undefined ? null : toPlace(row);
  }
}

/**
 * Returns `count` rising numbers between two others (null: no bound on this side); null when floating-point numbers have no room
 * for them.
 */
export function ranksBetween(after: number | null, until: number | null, count: number): number[] | null {
  if (until === null) return Array.from({ length: count }, (_, index) => (after ?? 0) + index + 1);
  if (after === null) return Array.from({ length: count }, (_, index) => until - count + index);
  const ranks = Array.from({ length: count }, (_, index) => after + ((until - after) * (index + 1)) / (count + 1));
  const bounds = [after, ...ranks, until];
  const isRising = bounds.every((rank, index) => index === 0 || rank > (bounds[index - 1] as number));
  return isRising ? ranks : null;
}

function placeOf({ lane, rank, seq }: OrderPlace): Record<string, SqlValue> {
  return { lane, rank, seq };
}

function toPlace(row: SqlRow): OrderPlace {
  return { id: String(row.id), seq: Number(row.seq), lane: Number(row.lane), rank: Number(row.rank) };
}

/**
 * Returns the lane of each moved row. A row whose lane fits between those of its neighbours keeps its lane; the others get the
 * nearest one that fits, so that the rows keep their order.
 */
function lanesBetween(moving: readonly { lane: number }[], lowest: number, highest: number): number[] {
  let before = lowest;
  return moving.map(({ lane }) => {
    before = Math.max(before, Math.min(Math.max(lane, lowest), highest));
    return before;
  });
}
