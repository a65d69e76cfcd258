/** Texts that spreadsheets put into a cell whose formula failed. */
const FORMULA_ERRORS: ReadonlySet<string> = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!'],
  ...[
    '#FIELD!',
    '#GETTING_DATA',
    '#CONNECT!',
    '#BLOCKED!',
    '#UNKNOWN!',
    '#BUSY!',
    '#PYTHON!',
    '#EXTERNAL!',
    '#TIMEOUT!',
  ],
  '#ERROR!',
  // As translated programs write them in CSV: German, Spanish, French and Russian.
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!', '#KALK!', '#FELD!'],
  ...['#¡REF!', '#¡VALOR!', '#¿NOMBRE?', '#¡DIV/0!', '#¡NUM!', '#¡NULO!'],
  ...['#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  ...['#Н/Д', '#ССЫЛКА!', '#ЗНАЧ!', '#ИМЯ?', '#ДЕЛ/0!', '#ЧИСЛО!', '#ПУСТО!'],
]);

/** The text of a cell whose formula has no result in the file: programs that calculate nothing, such as openpyxl, store none. */
export const NOT_CALCULATED = '#NOT_CALCULATED!';

/** Returns the problem of a cell that has no value because of its formula; null: it has a value. */
export function formulaProblemOf(text: string): 'manifest.formula-failed' | 'manifest.formula-not-calculated' | null {
  if (text === NOT_CALCULATED) return 'manifest.formula-not-calculated';
  return isFormulaError(text) ? 'manifest.formula-failed' : null;
}

/** Returns what the file has in a cell: nothing, when its formula has no result. */
export function shownValue(text: string): string {
  return text === NOT_CALCULATED ? '' : text;
}

/** Returns whether a cell has the error of a formula instead of a value. */
export function isFormulaError(text: string): boolean {
  return FORMULA_ERRORS.has(text.trim());
}
