/**
 * Where a test may let the process die. Every effect that is durable or leaves the process goes through here by its name;
 * the names come from the effects themselves (a kind of event, a statement, a request), so that a new effect has one too.
 * No host of the program supplies failpoints: only a test does.
 */
export interface Failpoints {
  /** Runs `effect` and returns its result. */
  run<T>(name: string, effect: () => T): T;
  /** The same for an effect that takes time: it has happened when its promise is settled. */
  runAsync<T>(name: string, effect: () => Promise<T>): Promise<T>;
  /** A moment in the middle of an effect. */
  pass(name: string): void;
}

/** What everybody has who is not testing. */
export const NO_FAILPOINTS: Failpoints = {
  run: (_name, effect) => effect(),
  runAsync: (_name, effect) => effect(),
  pass: () => {},
};
