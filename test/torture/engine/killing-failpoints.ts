import type { Failpoints } from '../../../electron/engine/ports/failpoints.ts';

/** Where a process is to die: at the `pass`-th time that it comes to the effect `name`. */
export interface Failpoint {
  name: string;
  pass: number;
  phase: 'before' | 'after';
}

/** `name:k[:before|after]`; before unless said otherwise. Throws for a text that can't be one. */
export function parseFailpoint(text: string): Failpoint {
  const match = /^([\w.-]+):([1-9]\d*)(?::(before|after))?$/.exec(text);
  if (match === null) throw new Error(`no failpoint: ${text} (it is name:k[:before|after])`);
  return { name: match[1] ?? '', pass: Number(match[2]), phase: match[3] === 'after' ? 'after' : 'before' };
}

export function failpointText({ name, pass, phase }: Failpoint): string {
  return `${name}:${pass}:${phase}`;
}

/** Counts every effect by its name, and ends the process with `kill` where `target` says; null for never. */
export function countingFailpoints(target: Failpoint | null, kill: () => void) {
  const passes = new Map<string, number>();
  /** Notes that the effect begins; answers whether it is the one. */
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
        // An effect that failed may have happened all the same.
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

/** Like a power cut for this process: nothing is closed, nothing is written any more. */
export function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
