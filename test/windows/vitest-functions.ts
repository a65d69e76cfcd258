// Stands for the module `vitest` in a Node on Windows, where vitest itself does not start (Wine lacks a library that its native
// parts need). It has the functions that the tests of this lane use, with the meaning that they have in vitest. `expect` and `vi`
// are those of vitest.
import { format } from 'node:util';
import { type Assertion, expect as vitestExpect } from 'vitest';
import { currentCleanups } from './run-tests.ts';
import { type Body, emptySuite, type Fixture, type Suite, type Test } from './test-tree.ts';

export { vi } from 'vitest';

/** `vi` looks for the settings of a worker of vitest. */
Reflect.set(globalThis, '__vitest_worker__', { config: {}, environment: { name: 'node' }, metaEnv: process.env });

const POLL_TIMEOUT_MS = 1000;
const POLL_EVERY_MS = 50;

let current: Suite = emptySuite('');

/** Calls `load`, which loads a file, and returns its tests. */
export async function collect(name: string, load: () => Promise<unknown>): Promise<Suite> {
  const suite = emptySuite(name);
  current = suite;
  await load();
  return suite;
}

interface TestOptions {
  timeout?: number;
  skip?: boolean;
  fails?: boolean;
}
type Second = Body | TestOptions | undefined;
type Third = Body | TestOptions | number | undefined;

function readArguments(second: Second, third: Third): { body: Body; options: TestOptions } {
  const body = typeof second === 'function' ? second : third;
  const given = typeof second === 'function' ? third : second;
  return {
    body: typeof body === 'function' ? body : () => undefined,
    options: typeof given === 'number' ? { timeout: given } : typeof given === 'object' ? given : {},
  };
}

/** Makes `it` with these fixtures. */
function testFunction(fixtures: Map<string, Fixture>, isSkipped = false) {
  function add(name: string, second: Second, third: Third, more: Partial<Test> = {}): void {
    const { body, options } = readArguments(second, third);
    current.children.push({
      kind: 'test',
      name,
      body,
      fixtures,
      values: [],
      hasContext: true,
      isSkipped: isSkipped || options.skip === true,
      timeoutMs: options.timeout ?? null,
      mustFail: options.fails === true,
      ...more,
    });
  }
  const it = (name: string, second?: Second, third?: Third) => add(name, second, third);
  const each =
    (rows: readonly unknown[], ...more: unknown[]) =>
    (name: string, second: Second, third?: Third) => {
      for (const [index, values] of spread(tableRows(rows, more)).entries()) {
        add(titleOf(name, values, index), second, third, { values, hasContext: false });
      }
    };
  return Object.assign(it, {
    each,
    for: (rows: readonly unknown[]) => (name: string, second: Second, third?: Third) => {
      for (const [index, row] of rows.entries())
        add(titleOf(name, Array.isArray(row) ? row : [row], index), second, third, { values: [row] });
    },
    skip: (name: string, second?: Second, third?: Third) => add(name, second, third, { isSkipped: true }),
    skipIf: (condition: unknown) => testFunction(fixtures, isSkipped || Boolean(condition)),
    runIf: (condition: unknown) => testFunction(fixtures, isSkipped || !condition),
    sequential: it,
    concurrent: it,
    extend(name: string, ...[first, second]: unknown[]) {
      const hasOptions = second !== undefined;
      const isOfFile = hasOptions && (first as { scope?: string }).scope === 'file';
      const made = new Map(fixtures).set(name, { isOfFile, make: hasOptions ? second : first });
      return testFunction(made, isSkipped);
    },
    override(values: Record<string, unknown>) {
      for (const [name, make] of Object.entries(values))
        current.fixtures.set(name, { isOfFile: fixtures.get(name)?.isOfFile ?? false, make });
    },
    beforeEach: (body: Body) => void current.beforeEach.push({ body, fixtures }),
    afterEach: (body: Body) => void current.afterEach.unshift({ body, fixtures }),
    beforeAll: (body: Body) => void current.before.push({ body, fixtures }),
    afterAll: (body: Body) => void current.after.unshift({ body, fixtures }),
  });
}

function suiteFunction(isSkipped = false) {
  function add(name: string, second: Second, third?: Third, more: readonly unknown[] = []): void {
    const { body, options } = readArguments(second, third);
    const outer = current;
    const suite = emptySuite(name, isSkipped || options.skip === true);
    outer.children.push(suite);
    current = suite;
    try {
      (body as (...values: unknown[]) => unknown)(...more);
    } finally {
      current = outer;
    }
  }
  return Object.assign((name: string, second: Second, third?: Third) => add(name, second, third), {
    each:
      (rows: readonly unknown[], ...more: unknown[]) =>
      (name: string, second: Second, third?: Third) => {
        for (const [index, values] of spread(tableRows(rows, more)).entries()) {
          add(titleOf(name, values, index), second, third, values);
        }
      },
    skip: (name: string, second: Second, third?: Third) => suiteFunction(true)(name, second, third),
    skipIf: (condition: unknown) => suiteFunction(isSkipped || Boolean(condition)),
    runIf: (condition: unknown) => suiteFunction(isSkipped || !condition),
  });
}

export const it = testFunction(new Map());
export const test = it;
export const describe = suiteFunction();
export const { beforeEach, afterEach, beforeAll, afterAll } = it;

/** Calls `cleanup` after the running test. */
export function onTestFinished(cleanup: () => unknown): void {
  currentCleanups().push(cleanup);
}

/** Returns the values of each row. As in vitest, arrays are spread only when all rows are arrays. */
function spread(rows: readonly unknown[]): readonly unknown[][] {
  const areArrays = rows.every((row) => Array.isArray(row));
  return rows.map((row) => (areArrays ? (row as unknown[]) : [row]));
}

/** Rows of `each`; of a template, each row is an object with the names of its first line. */
function tableRows(rows: readonly unknown[], values: readonly unknown[]): readonly unknown[] {
  if (!('raw' in rows)) return rows;
  const names = String(rows[0])
    .split('|')
    .map((name) => name.trim());
  const count = Math.floor(values.length / names.length);
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, values[row * names.length + column]])),
  );
}

function titleOf(name: string, values: readonly unknown[], index: number): string {
  const first = values[0];
  const named = name
    .replaceAll('%#', String(index))
    .replace(/\$(\w+)/g, (whole, key: string) =>
      typeof first === 'object' && first !== null && key in first ? String(Reflect.get(first, key)) : whole,
    );
  const holes = named.match(/%[sdifjoO]/g)?.length ?? 0;
  return format(named, ...values.slice(0, holes));
}

/** Repeats a check until it passes or the time is over. */
function poll(read: () => unknown, { timeout = POLL_TIMEOUT_MS, interval = POLL_EVERY_MS } = {}): Assertion {
  const chain = (names: readonly string[]): unknown =>
    new Proxy(() => undefined, {
      get: (_target, name) => (name === 'then' ? undefined : chain([...names, String(name)])),
      apply: (_target, _this, values: unknown[]) => untilPassed(() => check(names, values), timeout, interval),
    });
  const check = async (names: readonly string[], values: unknown[]) => {
    const path = names.slice(0, -1);
    const assertion = path.reduce<object>((at, name) => Reflect.get(at, name), vitestExpect(await read()));
    await Reflect.get(assertion, names.at(-1) ?? '').apply(assertion, values);
  };
  return chain([]) as Assertion;
}

async function untilPassed(check: () => Promise<void>, timeoutMs: number, everyMs: number): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export const expect = new Proxy(vitestExpect, {
  get: (target, name, self) => (name === 'poll' ? poll : Reflect.get(target, name, self)),
});
