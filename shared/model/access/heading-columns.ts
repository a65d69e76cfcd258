/** Returns the index of each column by the headings that name it, in any letter case; the first of two such columns counts. */
export function headingColumns<Column extends string>(
  headings: readonly string[],
  names: Readonly<Record<Column, readonly string[]>>,
): ReadonlyMap<Column, number> {
  const columns = new Map<Column, number>();
  for (const [index, heading] of headings.entries()) {
    const name = heading.trim().toLowerCase().replaceAll('_', ' ');
    for (const [column, known] of Object.entries(names) as [Column, readonly string[]][]) {
      if (known.includes(name) && !columns.has(column)) columns.set(column, index);
    }
  }
  return columns;
}
