/** One row of the list of uploads. `part` and `at` identify an upload by its index inside its batch. */
export type OutlinePlace =
  | { kind: 'batch'; batchId: string }
  | { kind: 'upload'; batchId: string; part: UploadPart; at: number }
  | { kind: 'skipped'; batchId: string };

/** A batch lists its skipped uploads separately, behind a row with their count. */
export type UploadPart = 'rows' | 'skipped';

/** The data of a batch that the list shows. */
export interface OutlineBatch {
  id: string;
  /** The number of uploads that the tab shows, without skipped ones. */
  rows: number;
  skipped: number;
  isExpanded: boolean;
  areSkippedOpen: boolean;
}

/** Heights in CSS pixels. */
export interface RowHeights {
  batch: number;
  upload: number;
  skipped: number;
}

/** A batch with its position in the list. `first`: its first row, which is its header; `count`: the number of its rows. */
export interface Section extends OutlineBatch {
  first: number;
  count: number;
  top: number;
  height: number;
}

/**
 * The list of uploads as one numbered sequence of rows: for each batch its header and, while it is expanded, its uploads.
 * Every method reads only the batches (by binary search), so its cost does not depend on the number of uploads.
 */
export class Outline {
  readonly sections: readonly Section[];
  /** The number of rows. */
  readonly count: number;
  /** In CSS pixels. */
  readonly height: number;
  readonly heights: RowHeights;
  readonly #byId = new Map<string, Section>();

  constructor(batches: readonly OutlineBatch[], heights: RowHeights) {
    const sections: Section[] = [];
    let first = 0;
    let top = 0;
    for (const batch of batches) {
      const rows = batch.isExpanded ? batch.rows : 0;
      const skippedHeads = batch.isExpanded && batch.skipped > 0 ? 1 : 0;
      const skipped = skippedHeads > 0 && batch.areSkippedOpen ? batch.skipped : 0;
      const count = 1 + rows + skippedHeads + skipped;
      const height = heights.batch + (rows + skipped) * heights.upload + skippedHeads * heights.skipped;
      const section = { ...batch, first, count, top, height };
      sections.push(section);
      this.#byId.set(batch.id, section);
      first += count;
      top += height;
    }
    this.sections = sections;
    this.count = first;
    this.height = top;
    this.heights = heights;
  }

  /** Returns whether the list has the rows of these batches. */
  shows(batches: readonly OutlineBatch[]): boolean {
    return (
      batches.length === this.sections.length &&
      this.sections.every((section, at) => {
        const batch = batches[at];
        return (
          section.id === batch?.id &&
          section.rows === batch.rows &&
          section.skipped === batch.skipped &&
          section.isExpanded === batch.isExpanded &&
          section.areSkippedOpen === batch.areSkippedOpen
        );
      })
    );
  }

  section(batchId: string): Section | undefined {
    return this.#byId.get(batchId);
  }

  /** Returns the section that contains the row; undefined outside the list. */
  sectionAt(index: number): Section | undefined {
    return index < 0 || index >= this.count
      ? undefined
      : this.sections[this.#find((section) => section.first <= index)];
  }

  /** Sections with rows from `first` to `last`, both included. */
  sectionsIn(first: number, last: number): Section[] {
    const from = this.#find((section) => section.first <= Math.max(0, first));
    const to = this.#find((section) => section.first <= last);
    return this.sections.slice(Math.max(0, from), to + 1);
  }

  /** Returns the place at a row; undefined outside the list. */
  placeAt(index: number): OutlinePlace | undefined {
    const section = this.sectionAt(index);
    if (section === undefined) return undefined;
    const batchId = section.id;
    const at = index - section.first - 1;
    if (at < 0) return { kind: 'batch', batchId };
    if (at < section.rows) return { kind: 'upload', batchId, part: 'rows', at };
    if (at === section.rows) return { kind: 'skipped', batchId };
    return { kind: 'upload', batchId, part: 'skipped', at: at - section.rows - 1 };
  }

  /** Returns the row of a place; -1 when the list does not show it. */
  indexOf(place: OutlinePlace): number {
    const section = this.#byId.get(place.batchId);
    if (section === undefined) return -1;
    if (place.kind === 'batch') return section.first;
    if (!section.isExpanded) return -1;
    const skippedAt = section.first + 1 + section.rows;
    if (place.kind === 'skipped') return section.skipped > 0 ? skippedAt : -1;
    if (place.part === 'rows') return place.at < section.rows ? section.first + 1 + place.at : -1;
    return section.areSkippedOpen && place.at < section.skipped ? skippedAt + 1 + place.at : -1;
  }

  /** The upper edge of a row; the index `count` is the end of the list. */
  topOf(index: number): number {
    const section = this.sectionAt(index);
    if (section === undefined) return index <= 0 ? 0 : this.height;
    const at = index - section.first - 1;
    if (at < 0) return section.top;
    const { batch, upload, skipped } = this.heights;
    const skippedHeads = at > section.rows ? 1 : 0;
    return section.top + batch + (at - skippedHeads) * upload + skippedHeads * skipped;
  }

  heightOf(index: number): number {
    const kind = this.placeAt(index)?.kind;
    return kind === undefined ? 0 : this.heights[kind];
  }

  /** Returns the row at a distance from the top of the list; the nearest row for a distance outside the list. */
  indexAt(y: number): number {
    if (this.count === 0) return -1;
    const section =
      this.sections[
        Math.max(
          0,
          this.#find(({ top }) => top <= y),
        )
      ];
    if (section === undefined) return -1;
    const { batch, upload, skipped } = this.heights;
    const below = y - section.top - batch;
    if (below < 0) return section.first;
    const rows = section.isExpanded ? section.rows : 0;
    const inRows = Math.floor(below / upload);
    if (inRows < rows) return section.first + 1 + inRows;
    const belowRows = below - rows * upload - skipped;
    const at = belowRows < 0 ? rows : rows + 1 + Math.floor(belowRows / upload);
    return Math.min(section.first + section.count - 1, section.first + 1 + at);
  }

  /**
   * Returns the last section for which `isBefore` returns true; -1 for none. `isBefore` must be true for a first part of the
   * sections and false for the rest.
   */
  #find(isBefore: (section: Section) => boolean): number {
    let low = 0;
    let high = this.sections.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.sections[middle] as Section)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
