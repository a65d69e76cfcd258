import type { PublishChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import { titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import { texts } from './texts.ts';

/** The fields of the sheet that can be invalid, from top to bottom. */
export type SheetField = 'collection' | 'titles' | 'publish-at' | 'source-folder' | 'files';

export interface SheetProblem {
  field: SheetField;
  message: string;
}

export interface SheetFacts {
  collectionId: string | null;
  titleTemplate: string;
  publish: PublishChoice['kind'];
  /** The instant of the time field; null when it is invalid. */
  publishAt: string | null;
  /** Why the files have no publish times one after another; null: they have. Absent: all have one time. */
  series?: string | null;
  source: SourceChoice['kind'];
  folder: string | null;
  /** The number of table cells that the user has to correct. */
  badCells: number;
  /** Whether the user omitted all files of the table. */
  isAllLeftOut: boolean;
}

/** Returns the problems that prevent adding the files, from top to bottom. */
export function sheetProblems(facts: SheetFacts): SheetProblem[] {
  const { collectionId, titleTemplate, publish, publishAt, source, folder, series, badCells, isAllLeftOut } = facts;
  const problems: SheetProblem[] = [];
  if (collectionId === null) problems.push({ field: 'collection', message: texts.sheet.problems.collection });
  const titles = titleTemplateProblem(titleTemplate);
  if (titles !== null) problems.push({ field: 'titles', message: titles });
  if (publish === 'at' && series !== undefined) {
    if (series !== null) problems.push({ field: 'publish-at', message: series });
  } else if (publish === 'at' && publishAt === null) {
    problems.push({ field: 'publish-at', message: texts.sheet.problems.publishAt });
  }
  if (source === 'move' && folder === null) {
    problems.push({ field: 'source-folder', message: texts.sheet.problems.folder });
  }
  if (badCells > 0) problems.push({ field: 'files', message: texts.sheet.problems.cells(badCells) });
  else if (isAllLeftOut) problems.push({ field: 'files', message: texts.sheet.problems.noFiles });
  return problems;
}
