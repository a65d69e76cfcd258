/**
 * Points at which a test can kill the process. Every effect that is durable or leaves the process runs through `run` or
 * `runAsync` with a name. Names are derived from the effects (a kind of event, a statement, a request), so that a new effect has
 * one automatically. Only tests supply failpoints.
 */
export interface Failpoints {
  /** Runs `effect` and returns its result. */
  run<T>(name: string, effect: () => T): T;
  /** Runs an asynchronous effect, which has happened when its promise settles. */
  runAsync<T>(name: string, effect: () => Promise<T>): Promise<T>;
  /** A point in the middle of an effect. */
  pass(name: string): void;
}

/** The failpoints of every program except tests: they do nothing. */
export const NO_FAILPOINTS: Failpoints = {
  run: (_name, effect) => effect(),
  runAsync: (_name, effect) => effect(),
  pass: () => {},
};
