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

/** Returns whether a cell has the error of a formula instead of a value. */
export function isFormulaError(text: string): boolean {
  return FORMULA_ERRORS.has(text.trim());
}
