/** Three numbers of at most nine digits, and at most four parts of a version before its release. */
const VERSION =
  /^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(?:-([0-9A-Za-z-]{1,20}(?:\.[0-9A-Za-z-]{1,20}){0,3}))?$/;

interface Version {
  numbers: readonly number[];
  /** The parts of a version before its release, such as `beta` and `2`; empty for a release. */
  before: readonly string[];
}

function parseVersion(text: string): Version | null {
  const parts = VERSION.exec(text);
  if (parts === null) return null;
  return { numbers: parts.slice(1, 4).map(Number), before: parts[4]?.split('.') ?? [] };
}

/** Returns whether a text is a version: three numbers, and maybe the parts of a version before its release. */
export function isVersion(text: string): boolean {
  return parseVersion(text) !== null;
}

/** Compares two versions by the precedence of Semantic Versioning: below 0 when `a` is the older one. Throws for other texts. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (first === null || second === null) throw new RangeError(`Not a version: ${first === null ? a : b}`);
  for (const [index, number] of first.numbers.entries()) {
    const difference = number - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.before.length === 0 || second.before.length === 0) return second.before.length - first.before.length;
  for (const [index, part] of first.before.entries()) {
    const other = second.before[index];
    if (other === undefined) return 1;
    const difference = compareParts(part, other);
    if (difference !== 0) return difference;
  }
  return first.before.length - second.before.length;
}

/** Numbers are older than words. */
function compareParts(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^[0-9]+$/.test(a), /^[0-9]+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
