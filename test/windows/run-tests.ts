// Runs the tests of one file in order, with their hooks and fixtures.
import type { Body, Fixture, Hook, Suite, Test } from './test-tree.ts';

export interface TestResult {
  /** The names of the suites and of the test. */
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  ms: number;
  /** Of a failed test, or why a skipped one was skipped, if it says so. */
  message?: string;
}

const USUAL_TIMEOUT_MS = 120_000;

/** Thrown by `skip` of the context. */
class Skipped extends Error {}

let cleanups: (() => unknown)[] = [];

/** The cleanups of the running test. */
export const currentCleanups = () => cleanups;

/** The fixtures that were made for the file; the values are promises. */
type Made = Map<string, unknown>;

interface Outer {
  suites: readonly Suite[];
  ofFile: Made;
  fileCleanups: (() => unknown)[];
}

/** Runs all tests of a file; reports each as soon as it has ended. */
export async function runFile(file: Suite, report: (result: TestResult) => void): Promise<void> {
  const fileCleanups: (() => unknown)[] = [];
  await runSuite(file, { suites: [], ofFile: new Map(), fileCleanups }, false, report);
  for (const cleanup of fileCleanups.reverse()) await cleanup();
}

async function runSuite(
  suite: Suite,
  outer: Outer,
  isSkipped: boolean,
  report: (result: TestResult) => void,
): Promise<void> {
  const inner = { ...outer, suites: [...outer.suites, suite] };
  const skips = isSkipped || suite.isSkipped;
  const name = (test: string) => [...inner.suites.map((each) => each.name), test].join(' > ');
  const hasTests = !skips && countTests(suite) > 0;
  const hook = async (what: string, hooks: readonly Hook[]) => {
    try {
      for (const { body, fixtures } of hooks) {
        const ended = await withTimeout(() => call(body, [], fixtures, inner, new Map(), []), USUAL_TIMEOUT_MS);
        if (typeof ended === 'function') suite.after.unshift({ body: ended as Body, fixtures });
      }
      return true;
    } catch (error) {
      report({ name: name(what), state: 'failed', ms: 0, message: messageOf(error) });
      return false;
    }
  };
  if (hasTests && !(await hook('beforeAll', suite.before))) return;
  for (const child of suite.children) {
    if (child.kind === 'suite') await runSuite(child, inner, skips, report);
    else report({ name: name(child.name), ...(await runTest(child, inner, skips)) });
  }
  if (hasTests) await hook('afterAll', suite.after);
}

function countTests(suite: Suite): number {
  return suite.children.reduce(
    (sum, child) =>
      sum + (child.kind === 'suite' ? (child.isSkipped ? 0 : countTests(child)) : child.isSkipped ? 0 : 1),
    0,
  );
}

async function runTest(test: Test, outer: Outer, isSkipped: boolean): Promise<Omit<TestResult, 'name'>> {
  if (isSkipped || test.isSkipped) return { state: 'skipped', ms: 0 };
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  cleanups = [];
  const made: Made = new Map();
  const fixtureCleanups: (() => unknown)[] = [];
  const run = async () => {
    const after: Hook[] = outer.suites.toReversed().flatMap((suite) => suite.afterEach);
    try {
      for (const { body, fixtures } of outer.suites.flatMap((suite) => suite.beforeEach)) {
        const ended = await call(body, [], withTestFixtures(fixtures, test), outer, made, fixtureCleanups);
        if (typeof ended === 'function') after.unshift({ body: ended as Body, fixtures });
      }
      await call(test.body, test.values, test.fixtures, outer, made, fixtureCleanups, test.hasContext);
    } finally {
      for (const { body, fixtures } of after)
        await call(body, [], withTestFixtures(fixtures, test), outer, made, fixtureCleanups);
      for (const cleanup of cleanups.reverse()) await cleanup();
      for (const cleanup of fixtureCleanups.reverse()) await cleanup();
    }
  };
  try {
    await withTimeout(run, test.timeoutMs ?? USUAL_TIMEOUT_MS);
    return test.mustFail ? { state: 'failed', ms: ms(), message: 'It should fail.' } : { state: 'passed', ms: ms() };
  } catch (error) {
    if (error instanceof Skipped) return { state: 'skipped', ms: ms(), message: error.message };
    if (test.mustFail) return { state: 'passed', ms: ms() };
    return { state: 'failed', ms: ms(), message: messageOf(error) };
  }
}

/** A hook of the file may name fixtures of the test that it runs for. */
function withTestFixtures(ofHook: Hook['fixtures'], test: Test): Hook['fixtures'] {
  return new Map([...test.fixtures, ...ofHook]);
}

async function call(
  body: Body,
  values: readonly unknown[],
  fixtures: ReadonlyMap<string, Fixture>,
  outer: Outer,
  made: Made,
  onCleanup: (() => unknown)[],
  hasContext = true,
): Promise<unknown> {
  const context: Record<string, unknown> = {
    skip: (note?: string | boolean, why?: string) => {
      if (note !== false) throw new Skipped(why ?? (typeof note === 'string' ? note : ''));
    },
    task: { name: '' },
    onTestFinished: (cleanup: () => unknown) => void cleanups.push(cleanup),
  };
  if (hasContext) {
    for (const name of namesOf(body, values.length)) {
      if (fixtureOf(name, fixtures, outer) === undefined) continue;
      context[name] = await makeFixture(name, fixtures, outer, made, onCleanup);
    }
  }
  return (body as (...all: unknown[]) => unknown)(...values, ...(hasContext ? [context] : []));
}

function fixtureOf(name: string, fixtures: ReadonlyMap<string, Fixture>, { suites }: Outer): Fixture | undefined {
  return suites.findLast((suite) => suite.fixtures.has(name))?.fixtures.get(name) ?? fixtures.get(name);
}

async function makeFixture(
  name: string,
  fixtures: ReadonlyMap<string, Fixture>,
  outer: Outer,
  made: Made,
  onCleanup: (() => unknown)[],
): Promise<unknown> {
  const fixture = fixtureOf(name, fixtures, outer);
  if (fixture === undefined) throw new Error(`No fixture has the name ${name}.`);
  const kept = fixture.isOfFile ? outer.ofFile : made;
  const ends = fixture.isOfFile ? outer.fileCleanups : onCleanup;
  if (kept.has(name)) return kept.get(name);
  const { make } = fixture;
  let value = make;
  if (typeof make === 'function') {
    const needed: Record<string, unknown> = {};
    for (const other of namesOf(make as Body, 0)) {
      if (fixtureOf(other, fixtures, outer) !== undefined)
        needed[other] = await makeFixture(other, fixtures, outer, made, onCleanup);
    }
    value = await make(needed, { onCleanup: (cleanup: () => unknown) => void ends.push(cleanup) });
  }
  kept.set(name, value);
  return value;
}

/** Returns the names that a function takes out of its parameter at this place: `({ desk, clock: time }) => …`. */
function namesOf(body: Body, at: number): string[] {
  const text = String(body);
  const open = text.indexOf('(');
  let depth = 0;
  let index = 0;
  let start = open + 1;
  for (let place = open; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    const ends = depth === 0 || (depth === 1 && character === ',');
    if (!ends) continue;
    if (index === at) return namesIn(text.slice(start, place).trim());
    if (depth === 0) return [];
    index += 1;
    start = place + 1;
  }
  return [];
}

function namesIn(parameter: string): string[] {
  if (!parameter.startsWith('{')) return [];
  return parameter
    .slice(1, parameter.lastIndexOf('}'))
    .split(',')
    .map((part) => part.split(/[:=]/, 1)[0]?.trim() ?? '')
    .filter((name) => name !== '');
}

async function withTimeout<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  const values = expected === undefined ? '' : `\nexpected ${shown(expected)}\nactual   ${shown(actual)}`;
  const cause = error.cause === undefined ? '' : `\ncaused by ${messageOf(error.cause)}`;
  return `${error.stack ?? error.message}${values}${cause}`;
}

function shown(value: unknown): string {
  try {
    return String(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 600);
  } catch {
    return String(value);
  }
}
