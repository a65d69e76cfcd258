import type { Failpoints } from '../../../electron/engine/ports/failpoints.ts';

/** The point at which a process is killed: the `pass`-th occurrence of the effect `name`. */
export interface Failpoint {
  name: string;
  pass: number;
  phase: 'before' | 'after';
}

/** Parses `name:k[:before|after]`; before by default. Throws for an invalid text. */
export function parseFailpoint(text: string): Failpoint {
  const match = /^([\w.-]+):([1-9]\d*)(?::(before|after))?$/.exec(text);
  if (match === null) throw new Error(`no failpoint: ${text} (it is name:k[:before|after])`);
  return { name: match[1] ?? '', pass: Number(match[2]), phase: match[3] === 'after' ? 'after' : 'before' };
}

export function failpointText({ name, pass, phase }: Failpoint): string {
  return `${name}:${pass}:${phase}`;
}

/** Counts every effect by its name, and kills the process with `kill` at `target`; null: never. */
export function countingFailpoints(target: Failpoint | null, kill: () => void) {
  const passes = new Map<string, number>();
  /** Records the start of an effect; returns whether it is the target. */
  const begin = (name: string): boolean => {
    const count = (passes.get(name) ?? 0) + 1;
    passes.set(name, count);
    return target !== null && target.name === name && target.pass === count;
  };
  const failpoints: Failpoints = {
    run(name, effect) {
      const isTarget = begin(name);
      if (isTarget && target?.phase === 'before') kill();
      try {
        return effect();
      } finally {
        // A failed effect may have happened nevertheless.
        if (isTarget) kill();
      }
    },
    async runAsync(name, effect) {
      const isTarget = begin(name);
      if (isTarget && target?.phase === 'before') kill();
      try {
        return await effect();
      } finally {
        if (isTarget) kill();
      }
    },
    pass(name) {
      if (begin(name)) kill();
    },
  };
  return { failpoints, passes };
}

/** Ends this process as in a power cut: no file is closed or written. */
export function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
