import type { ProgramAct } from './edits/often.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { stationScenarioOf } from './station/draw-station.ts';

/** The source of the scenarios of a campaign. */
export interface ScenarioSource {
  kind: 'uploads' | 'stations' | 'edits';
  /** The number of recordings of each station; null: few. */
  recordings: number | null;
  /** For editors: the act on the program after each act of its user; null: only the acts of the seed. */
  often?: ProgramAct | null;
}

export function scenarioFrom({ kind, recordings }: ScenarioSource, seed: number): Scenario {
  return kind === 'stations' ? stationScenarioOf(seed, recordings) : scenarioOf(seed);
}
