// All random tests of a run begin with one seed, so that a run, or the repetition of a failed file, can be repeated exactly.
import fc from 'fast-check';
import { TEST_SEED } from '../build/test-seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED });
