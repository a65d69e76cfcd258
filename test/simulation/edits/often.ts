import { Prng } from '../../helpers/data/prng.ts';
import { type Act, type EditScenario, editScenarioOf, PROGRAM_ACTS } from './edit-scenario.ts';

/** What can happen to a program after each act of its person. */
export type ProgramAct = (typeof PROGRAM_ACTS)[number];

/** Returns a name of the command line as a kind of act; throws for an unknown one. */
export function programActOf(name: string): ProgramAct {
  const kind = PROGRAM_ACTS.find((each) => each === name);
  if (kind === undefined) throw new Error(`--often knows ${PROGRAM_ACTS.join(', ')}, not “${name}”`);
  return kind;
}

/** Returns a scenario in which an act of this kind follows each act of the persons. */
export function withOften(scenario: EditScenario, often: Act['kind']): EditScenario {
  const prng = new Prng(scenario.seed, 25);
  const acts = scenario.acts.flatMap((act) => {
    if (act.by === 'editor' || act.kind === often) return [act];
    const atMs = Math.min(scenario.calmAtMs, act.atMs + prng.spread(2, 3000));
    return [act, { ...act, atMs, kind: often }];
  });
  return { ...scenario, acts: acts.sort((one, other) => one.atMs - other.atMs) };
}

/** Returns the scenario of a seed, for example with a crash after each act of the persons. */
export function editScenarioFrom(seed: number, often: ProgramAct | null): EditScenario {
  const scenario = editScenarioOf(seed);
  return often === null ? scenario : withOften(scenario, often);
}
