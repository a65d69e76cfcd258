// Waits by turns of the event loop instead of the clock.

/** Runs everything that is ready, this number of turns. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Waits until a number has been unchanged for so many turns that nothing can be in flight. */
export async function untilQuiet(figure: () => number): Promise<void> {
  let seen = figure();
  for (let quietTurns = 0; quietTurns < 200; quietTurns += 1) {
    await turns(1);
    if (figure() !== seen) quietTurns = 0;
    seen = figure();
  }
}
