/** Adds typed text to a list of tags: split at commas and line breaks, trimmed, each tag once in any letter case. */
export function addTags(tags: readonly string[], typed: string): string[] {
  const result = [...tags];
  const known = new Set(tags.map((tag) => tag.toLocaleLowerCase()));
  for (const part of typed.split(/[,\n]/)) {
    const tag = part.replace(/\s+/g, ' ').trim().slice(0, 200);
    if (tag === '' || known.has(tag.toLocaleLowerCase())) continue;
    known.add(tag.toLocaleLowerCase());
    result.push(tag);
  }
  return result;
}
