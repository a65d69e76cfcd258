// How much the tests with many variants try. `npm run test:long` sets the variable.

/** True: every variant. False, as in `npm test`: a sample that has each kind of variant. */
export const isLongRun = process.env.MEDIADESK_LONG_TESTS === '1';
