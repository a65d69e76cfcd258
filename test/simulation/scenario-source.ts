import type { ProgramAct } from './edits/often.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { stationScenarioOf } from './station/draw-station.ts';

/** Where the scenarios of a campaign come from. */
export interface ScenarioSource {
  kind: 'uploads' | 'stations' | 'edits';
  /** The number of recordings of each station; null: few. */
  recordings: number | null;
  /** Of editors: what happens to a program after each act of its person; null: only what the seed says. */
  often?: ProgramAct | null;
}

export function scenarioFrom({ kind, recordings }: ScenarioSource, seed: number): Scenario {
  return kind === 'stations' ? stationScenarioOf(seed, recordings) : scenarioOf(seed);
}
