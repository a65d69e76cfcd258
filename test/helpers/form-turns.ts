// Waiting by turns of the event loop, not by the clock.

/** Lets everything run that is ready to, so many times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Waits until a figure no longer changes, long enough that nothing is in flight. */
export async function untilQuiet(figure: () => number): Promise<void> {
  let seen = figure();
  for (let quietTurns = 0; quietTurns < 200; quietTurns += 1) {
    await turns(1);
    if (figure() !== seen) quietTurns = 0;
    seen = figure();
  }
}
