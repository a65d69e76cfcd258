import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first. One of them that starts last would leave the other workers without work. */
const SLOWEST = [
  'simulation/edits',
  'cli/queue-first',
  'torture/keychain-faults',
  'engine/uploads/many-in-processing',
  'service/processing/hostile-media',
  'conformance/suite',
  'unusual-servers/making-things',
  'unusual-servers/moving-bytes',
  'torture/engine-kills',
  'engine/form-peers',
  'engine/wire/broken-wire',
  'engine/watch/bad-input',
  'engine/uploads/short-tokens',
  'hostile-text/round-trip',
  'hostile-text/growth',
].map((name) => `/test/integration/${name}.test.ts`);

/** The same of the tests in the real window. */
const SLOWEST_WINDOWS = [
  'window/first-hour-keyboard',
  'window/first-hour-mouse',
  'desktop/profile-sharing',
  'watched/watched-folders',
  'library/library-query',
  'window/accessibility',
  'window/hostile-texts',
  'window/hostile-fields',
  'uploads/uploads-end-to-end',
  'edits/offline-day',
  'uploads/add-table',
  'edits/grid-editor',
].map((name) => `/test/e2e/${name}.test.ts`);

const ALL = [...SLOWEST, ...SLOWEST_WINDOWS];

/** Starts the slowest files first, which Vitest knows only where it has run before. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = ALL.findIndex((path) => moduleId.endsWith(path));
      return found === -1 ? ALL.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
