// The tests of one file, as the functions of `vitest-functions.ts` collect them.

/** A test or hook: gets the fixtures that it names, and the values of `each`. */
export type Body = (context: never, ...values: never[]) => unknown;

/** A value, or a function that makes it from other fixtures; it may register its cleanup. */
export interface Fixture {
  isOfFile: boolean;
  make: unknown;
}

export interface Suite {
  kind: 'suite';
  name: string;
  isSkipped: boolean;
  children: (Suite | Test)[];
  before: Hook[];
  after: Hook[];
  beforeEach: Hook[];
  afterEach: Hook[];
  /** Fixtures that hold in this suite in place of those of the suites around it. */
  fixtures: Map<string, Fixture>;
}

export interface Test {
  kind: 'test';
  name: string;
  isSkipped: boolean;
  timeoutMs: number | null;
  /** The test passes when it fails. */
  mustFail: boolean;
  body: Body;
  /** Values of `each`, before or in place of the context. */
  values: readonly unknown[];
  /** `for`: the context follows the one value. */
  hasContext: boolean;
  fixtures: Map<string, Fixture>;
}

export interface Hook {
  body: Body;
  fixtures: Map<string, Fixture>;
}

export function emptySuite(name: string, isSkipped = false): Suite {
  return {
    kind: 'suite',
    name,
    isSkipped,
    children: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    fixtures: new Map(),
  };
}
