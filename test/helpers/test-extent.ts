// How much the tests with many variants try. `npm run test:long` sets the variable.

/** True: every variant. False, as in `npm test`: a sample that has each kind of variant. */
export const isLongRun = process.env.MEDIADESK_LONG_TESTS === '1';

/** Every case in a long run; otherwise each `nth` one, beginning with the first. */
export function sampled<T>(cases: readonly T[], nth: number): readonly T[] {
  return isLongRun ? cases : cases.filter((_, index) => index % nth === 0);
}
