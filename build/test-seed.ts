const NAME = 'MEDIADESK_TEST_SEED';

/**
 * The seed of the random tests of this run: the one in the environment, else a new one. It is stored in the environment, which
 * all processes of the run inherit.
 */
export const TEST_SEED = readSeed();

/** The command that repeats the run with the same seed. */
export const REPEAT = `${NAME}=${TEST_SEED} npm test`;

function readSeed(): number {
  const given = process.env[NAME];
  const seed = given === undefined ? Math.floor(Math.random() * 0x7fff_ffff) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`${NAME} must be a whole number.`);
  process.env[NAME] = String(seed);
  return seed;
}
