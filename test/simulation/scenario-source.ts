import { type Scenario, scenarioOf } from './scenario.ts';
import { stationScenarioOf } from './station/draw-station.ts';

/** Where the scenarios of a campaign come from. */
export interface ScenarioSource {
  kind: 'uploads' | 'stations' | 'edits';
  /** The number of recordings of each station; null: few. */
  recordings: number | null;
}

export function scenarioFrom({ kind, recordings }: ScenarioSource, seed: number): Scenario {
  return kind === 'stations' ? stationScenarioOf(seed, recordings) : scenarioOf(seed);
}
