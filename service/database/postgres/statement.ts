// The statements of the service are written once, in the SQL that both engines take. What differs in their notation is put right here.

/** Texts in quotes, names in quotes, comments, blobs, words with a collation behind them, other words, and parameters. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\bx'[0-9a-f]*'|[\w.]+(?: COLLATE NOCASE\b)?|\?(?: COLLATE NOCASE\b)?/gi;

const NOCASE = ' collate nocase';

/**
 * Returns a statement in the notation of PostgreSQL: parameters with numbers, `x'01'` as bytes, and `a COLLATE NOCASE` as `nocase(a)`, for
 * columns and parameters. Names of columns and texts stay as they are.
 */
export function toPostgres(sql: string): string {
  let parameters = 0;
  return sql.replace(TOKEN, (token) => {
    if (/^x'/i.test(token)) return `'\\x${token.slice(2, -1)}'::bytea`;
    const ignoresCase = token.toLowerCase().endsWith(NOCASE);
    const operand = ignoresCase ? token.slice(0, -NOCASE.length) : token;
    let text = operand;
    if (operand === '?') {
      parameters += 1;
      text = `$${parameters}`;
    }
    return ignoresCase ? `nocase(${text})` : text;
  });
}
