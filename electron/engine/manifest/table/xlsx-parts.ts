import { TableError } from '../../../../shared/model/table/table-error.ts';
import { readSheetXml } from './read-sheet-xml.ts';
import { zipEntries } from './zip-entries.ts';

/** The parts of a workbook that have XML. */
export interface Parts {
  has(path: string): boolean;
  /** `path`: from the root of the package, without a slash at the front; letter case doesn't count. Of an absent part: nothing. */
  text(path: string | null): Iterable<string>;
}

/** Lists the parts of a workbook. Nothing is expanded before it is read. Throws `TableError`. */
export function partsOf(bytes: Uint8Array): Parts {
  const entries = new Map(zipEntries(bytes).map((entry) => [keyOf(entry.name), entry]));
  return {
    has: (path) => entries.has(keyOf(path)),
    text(path) {
      const entry = path === null ? undefined : entries.get(keyOf(path));
      return entry === undefined ? [] : decoded(entry.pieces());
    },
  };
}

/** Some programs write backslashes. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').toLowerCase();
}

function* decoded(pieces: Iterable<Uint8Array>): Generator<string> {
  let decoder: TextDecoder | null = null;
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
}

/** XML is in UTF-8, or in UTF-16 with a mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** A sheet with cells. */
export interface Sheet {
  name: string;
  path: string;
  isHidden: boolean;
}

interface Relation {
  /** The last word of its type, such as `worksheet`. */
  type: string;
  path: string;
}

/** The maximum number of sheets, and of relations of one part. */
const MOST_SHEETS = 10_000;

/** Returns the relations of a part by their ids. Targets are relative to its folder. */
function relationsOf(parts: Parts, path: string): Map<string, Relation> {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  const relations = new Map<string, Relation>();
  readSheetXml(parts.text(`${folder}_rels/${path.slice(slash)}.rels`), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      if (relations.size >= MOST_SHEETS) throw new TableError('too-large');
      relations.set(Id, { type: Type.split('/').at(-1) ?? '', path: resolved(folder, Target) });
    },
  });
  return relations;
}

/** Returns a target as a path from the root of the package. */
function resolved(folder: string, target: string): string {
  const clean = target.replaceAll('\\', '/');
  const path: string[] = [];
  for (const step of (clean.startsWith('/') ? clean : `${folder}${clean}`).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}

/** What the main part of a workbook says. */
export interface WorkbookParts {
  /** In their order; charts have no cells, so they are left out. */
  sheets: Sheet[];
  /** Days count from 1904 instead of 1900. */
  starts1904: boolean;
  /** null: the workbook has none. */
  stringsPath: string | null;
  stylesPath: string | null;
}

/** Finds the sheets, texts and styles of a workbook by its relations. */
export function workbookOf(parts: Parts): WorkbookParts {
  const main = [...relationsOf(parts, '').values()].find(({ type }) => type === 'officeDocument');
  const path = main?.path ?? 'xl/workbook.xml';
  const relations = relationsOf(parts, path);
  const sheets: Sheet[] = [];
  let starts1904 = false;
  readSheetXml(parts.text(path), {
    open(name, attributes) {
      if (name === 'workbookPr') starts1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      if (sheets.length >= MOST_SHEETS) throw new TableError('too-large');
      // The prefix is free: most programs write `r:id`.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const relation = relations.get(id ?? '');
      if (relation === undefined || (relation.type !== '' && relation.type !== 'worksheet')) return;
      const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
      sheets.push({ name: attributes.name ?? '', path: relation.path, isHidden });
    },
  });
  const pathOf = (wanted: string, usual: string) => {
    const related = [...relations.values()].find(({ type }) => type === wanted);
    return related?.path ?? (parts.has(usual) ? usual : null);
  };
  return {
    sheets,
    starts1904,
    stringsPath: pathOf('sharedStrings', 'xl/sharedStrings.xml'),
    stylesPath: pathOf('styles', 'xl/styles.xml'),
  };
}
